/**
 * The languages that a terminal's environment asks for, the most wanted first, as POSIX and GNU have it;
 * where it asks for none, the system's own.
 */
export function languagesOf(environment: Readonly<Record<string, string | undefined>>): readonly string[] {
  const { LC_ALL, LC_MESSAGES, LANG, LANGUAGE } = environment;
  const first = LC_ALL || LC_MESSAGES || LANG || '';
  const wanted = (first === 'C' || first === 'POSIX' ? [] : [...(LANGUAGE ?? '').split(':'), first])
    .map((name) => name.split(/[.@]/, 1)[0] ?? '')
    .filter((name) => name !== '' && name !== 'C');
  return first === '' ? [Intl.DateTimeFormat().resolvedOptions().locale] : wanted;
}
