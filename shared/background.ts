/** What becomes of Tilelift when its window is closed; for its uploads it stays until they have ended. */
export type WithoutWindow = 'stays' | 'stays-for-uploads' | 'quits';
