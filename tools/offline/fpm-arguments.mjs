/**
 * electron-builder's arguments for fpm (`FpmTarget` of app-builder-lib), parsed. Pure.
 * @typedef {object} PackageOrder
 * @property {'deb' | 'rpm'} type
 * @property {string} output the package's file
 * @property {string} name
 * @property {string} version
 * @property {string} architecture as the type calls it
 * @property {string} description for a deb, the first line is the summary
 * @property {string} maintainer
 * @property {string} vendor
 * @property {string} url
 * @property {string} license
 * @property {string} category
 * @property {string} priority of a deb
 * @property {string} summary of an rpm
 * @property {string} compression
 * @property {string} afterInstall file of a script
 * @property {string} afterRemove file of a script
 * @property {string[]} depends
 * @property {string[]} recommends
 * @property {{ from: string, to: string }[]} contents a file, or, with a trailing slash, a folder's content
 */

const single = /** @type {const} */ ({
  '--name': 'name',
  '--version': 'version',
  '--architecture': 'architecture',
  '--description': 'description',
  '--maintainer': 'maintainer',
  '--vendor': 'vendor',
  '--url': 'url',
  '--license': 'license',
  '--category': 'category',
  '--deb-priority': 'priority',
  '--rpm-summary': 'summary',
  '--deb-compression': 'compression',
  '--rpm-compression': 'compression',
  '--after-install': 'afterInstall',
  '--after-remove': 'afterRemove',
  '--package': 'output',
});
/** Options without effect on our packages. */
const withoutMeaning = new Set(['--force', '--debug']);
const withoutMeaningAndValue = new Set(['-s', '--rpm-os', '--log']);

/**
 * @param {readonly string[]} args
 * @returns {PackageOrder}
 * @throws Error for an unknown argument, so that none is ignored silently
 */
export function readFpmArguments(args) {
  /** @type {Record<string, string>} */
  const found = {};
  /** @type {Pick<PackageOrder, 'depends' | 'recommends' | 'contents'>} */
  const lists = { depends: [], recommends: [], contents: [] };
  const rest = [...args];
  for (let argument = rest.shift(); argument !== undefined; argument = rest.shift()) {
    const mapping = /^([^-][^=]*)=(\/.*)$/.exec(argument);
    if (mapping) lists.contents.push({ from: mapping[1] ?? '', to: mapping[2] ?? '' });
    else if (argument in single)
      found[single[/** @type {keyof typeof single} */ (argument)]] = rest.shift() ?? '';
    else if (argument === '-t') found.type = rest.shift() ?? '';
    else if (argument === '-d') lists.depends.push(rest.shift() ?? '');
    else if (argument === '--deb-recommends') lists.recommends.push(rest.shift() ?? '');
    else if (withoutMeaningAndValue.has(argument)) rest.shift();
    else if (!withoutMeaning.has(argument)) throw new Error(`fpm’s argument ${argument} is not known here`);
  }
  const { type } = found;
  if (type !== 'deb' && type !== 'rpm') throw new Error(`Packages of type ${type} can’t be made here`);
  const given = (/** @type {string} */ key) => {
    const value = found[key];
    if (!value) throw new Error(`fpm was not told the package’s ${key}`);
    return value;
  };
  return {
    type,
    ...lists,
    output: given('output'),
    name: given('name'),
    version: given('version'),
    architecture: given('architecture'),
    description: given('description'),
    maintainer: given('maintainer'),
    url: given('url'),
    afterInstall: given('afterInstall'),
    afterRemove: given('afterRemove'),
    vendor: found.vendor ?? '',
    license: found.license ?? '',
    category: found.category ?? 'default',
    priority: found.priority ?? 'optional',
    summary: found.summary ?? '',
    compression: found.compression ?? 'xz',
  };
}
