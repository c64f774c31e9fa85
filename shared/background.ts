/** Effect of closing the window; `stays-for-uploads` quits after the last upload. */
export type WithoutWindow = 'stays' | 'stays-for-uploads' | 'quits';
