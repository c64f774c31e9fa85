/** What came of it, or undefined when nothing did within `ms`: a dead file server answers nothing for minutes. Rejects as `asked` does. */
export async function withPatience<T>(asked: Promise<T>, ms: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  try {
    return await Promise.race([asked, late]);
  } finally {
    clearTimeout(timer);
  }
}
