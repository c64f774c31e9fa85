/** Meanings of colours. A tone always accompanies a text. */
export type Tone = 'accent' | 'tiling' | 'complete' | 'waiting' | 'error' | 'neutral';

/** Full class names, because the style build searches the source for them. */
export const toneText: Record<Tone, string> = {
  accent: 'text-accent',
  tiling: 'text-tiling',
  complete: 'text-complete',
  waiting: 'text-waiting',
  error: 'text-error',
  neutral: 'text-ink-2',
};

export const toneFill: Record<Tone, string> = {
  accent: 'bg-accent',
  tiling: 'bg-tiling',
  complete: 'bg-complete',
  waiting: 'bg-waiting',
  error: 'bg-error',
  neutral: 'bg-ink-3',
};

/** Text and icons on the tone's soft background. */
export const toneSoft: Record<Tone, string> = {
  accent: 'bg-accent-soft text-accent',
  tiling: 'bg-tiling-soft text-tiling',
  complete: 'bg-complete-soft text-complete',
  waiting: 'bg-waiting-soft text-waiting',
  error: 'bg-error-soft text-error',
  neutral: 'bg-rail text-ink-2',
};
