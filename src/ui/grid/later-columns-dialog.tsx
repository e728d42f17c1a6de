import { laterOver } from '../later.tsx';

export const LaterColumnsDialog = laterOver(async () => (await import('./columns-dialog.tsx')).ColumnsDialog);
