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

const singleFlags = /** @type {const} */ ({
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
  const foundFlags = {};
  /** @type {Pick<PackageOrder, 'depends' | 'recommends' | 'contents'>} */
  const lists = { depends: [], recommends: [], contents: [] };
  const remainingArgs = [...args];
  for (let argument = remainingArgs.shift(); argument !== undefined; argument = remainingArgs.shift()) {
    const mapping = /^([^-][^=]*)=(\/.*)$/.exec(argument);
    if (mapping) lists.contents.push({ from: mapping[1] ?? '', to: mapping[2] ?? '' });
    else if (argument in singleFlags)
      foundFlags[singleFlags[/** @type {keyof typeof singleFlags} */ (argument)]] =
        remainingArgs.shift() ?? '';
    else if (argument === '-t') foundFlags.type = remainingArgs.shift() ?? '';
    else if (argument === '-d') lists.depends.push(remainingArgs.shift() ?? '');
    else if (argument === '--deb-recommends') lists.recommends.push(remainingArgs.shift() ?? '');
    else if (withoutMeaningAndValue.has(argument)) remainingArgs.shift();
    else if (!withoutMeaning.has(argument)) throw new Error(`fpm’s argument ${argument} is not known here`);
  }
  const { type } = foundFlags;
  if (type !== 'deb' && type !== 'rpm') throw new Error(`Packages of type ${type} can’t be made here`);
  const requireFlag = (/** @type {string} */ key) => {
    const value = foundFlags[key];
    if (!value) throw new Error(`fpm was not told the package’s ${key}`);
    return value;
  };
  return {
    type,
    ...lists,
    output: requireFlag('output'),
    name: requireFlag('name'),
    version: requireFlag('version'),
    architecture: requireFlag('architecture'),
    description: requireFlag('description'),
    maintainer: requireFlag('maintainer'),
    url: requireFlag('url'),
    afterInstall: requireFlag('afterInstall'),
    afterRemove: requireFlag('afterRemove'),
    vendor: foundFlags.vendor ?? '',
    license: foundFlags.license ?? '',
    category: foundFlags.category ?? 'default',
    priority: foundFlags.priority ?? 'optional',
    summary: foundFlags.summary ?? '',
    compression: foundFlags.compression ?? 'xz',
  };
}
