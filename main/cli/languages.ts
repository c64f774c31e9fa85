/** In POSIX and GNU order; default: the system's. */
export function languagesOf(environment: Readonly<Record<string, string | undefined>>): readonly string[] {
  const { LC_ALL, LC_MESSAGES, LANG, LANGUAGE } = environment;
  const locale = LC_ALL || LC_MESSAGES || LANG || '';
  const requested = (locale === 'C' || locale === 'POSIX' ? [] : [...(LANGUAGE ?? '').split(':'), locale])
    .map((name) => name.split(/[.@]/, 1)[0] ?? '')
    .filter((name) => name !== '' && name !== 'C');
  return locale === '' ? [Intl.DateTimeFormat().resolvedOptions().locale] : requested;
}
