"""Reads orders from an exchange with Python's standard library alone, by the published signing rules.

    BASE_URL=http://127.0.0.1:4010/exchange/api CONNECTION_ID=3f AUTH_TOKEN=<64 hex> python3 read-orders.py [name=value ...]

Follows the cursors to the end of the data and prints one line of JSON for each order, unchanged.
"""

import base64
import datetime
import email.utils
import hashlib
import hmac
import json
import os
import sys
import urllib.parse
import urllib.request

ENV = os.environ.get("ENV", "prod")


def signature_headers(url, connection_id, token, now):
    """Signs the path and the query exactly as they are sent."""
    parts = urllib.parse.urlsplit(url)
    timestamp = now.strftime("%Y-%m-%dT%H:%M:%S.") + "%03dZ" % (now.microsecond // 1000)
    signed = [("BTNL-AUTH-TIMESTAMP", timestamp), ("BTNL-CONNECTION-ID", connection_id)]
    message = "GET" + parts.path + "?" + parts.query + "".join(name + value for name, value in sorted(signed))
    digest = hmac.new(token.encode("utf-8"), message.encode("utf-8"), hashlib.sha256).digest()
    return dict(signed) | {"BTNL-SIGNATURE": base64.b64encode(digest).decode("ascii")}


def venue_clock(base_url):
    """The exchange's clock may differ from ours: every response has its date, a refusal too."""
    request = urllib.request.Request(base_url + "/web/market/stats/trailing/all-products", method="HEAD")
    with urllib.request.urlopen(request, timeout=10) as response:
        return email.utils.parsedate_to_datetime(response.headers["Date"]).replace(tzinfo=datetime.timezone.utc)


def read_page(base_url, connection_id, token, filters, cursor):
    # The cursor is percent-encoded already: it is sent back unchanged.
    query = urllib.parse.urlencode(filters) + ("&cursor=" + cursor if cursor else "")
    url = base_url + "/v1/" + ENV + "/orders" + ("?" + query.lstrip("&") if query else "")
    headers = signature_headers(url, connection_id, token, venue_clock(base_url))
    with urllib.request.urlopen(urllib.request.Request(url, headers=headers), timeout=10) as response:
        return json.load(response)


def read_orders(base_url, connection_id, token, filters):
    cursor = None
    while True:
        page = read_page(base_url, connection_id, token, filters, cursor)
        yield from page["data"]
        following = page["pagination"].get("cursor")
        if not page["data"] or not following or following == cursor:
            return
        cursor = following


def main():
    filters = [tuple(argument.split("=", 1)) for argument in sys.argv[1:]]
    environment = os.environ
    orders = read_orders(environment["BASE_URL"], environment["CONNECTION_ID"], environment["AUTH_TOKEN"], filters)
    for order in orders:
        print(json.dumps(order))


if __name__ == "__main__":
    main()
