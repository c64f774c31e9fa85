/**
 * The rooms of main/ and those below each: no arrow runs up (CONTRIBUTING.md, "Layout"). What is beside
 * them in main/ itself is the ground that all stand on, but for index.ts, app.ts, settings.ts and
 * settings-file.ts, which put the house together.
 */
const below = {
  service: [],
  policy: ['service'],
  files: ['service'],
  inspect: ['service', 'files'],
  storage: ['service', 'files'],
  account: ['service'],
  transfer: ['service', 'files', 'storage'],
  workers: ['service', 'files', 'inspect', 'storage', 'transfer'],
  tiling: ['service'],
  jobs: ['service', 'account', 'files', 'inspect', 'storage', 'transfer', 'workers', 'tiling'],
  watch: ['service', 'files', 'inspect', 'storage', 'transfer', 'jobs'],
  presets: [],
  alerts: ['service', 'account', 'storage', 'jobs', 'watch'],
  socket: ['service', 'account', 'files', 'inspect', 'jobs', 'watch', 'alerts'],
};
const plainRooms = `^main/(${Object.keys(below).join('|')})/`;

const noArrowUp = Object.entries(below).map(([room, rooms]) => ({
  name: `${room}-knows-only-what-is-below`,
  severity: 'error',
  from: { path: `^main/${room}/` },
  to: { path: plainRooms, pathNot: `^main/(${[room, ...rooms].join('|')})/` },
}));

/** A room with all that is below it, by however many steps. @param {string} room @returns {string[]} */
const reachOf = (room) => [room, ...below[room].flatMap(reachOf)];

/**
 * Likewise by way of what is in main/ itself: a file there that knows a room would be a way up for all who
 * stand on it.
 */
const noWayUp = Object.keys(below).map((room) => ({
  name: `${room}-reaches-only-what-is-below`,
  severity: 'error',
  from: { path: `^main/${room}/` },
  to: { reachable: true, path: '^main/[^/]+/', pathNot: `^main/(${reachOf(room).join('|')})/` },
}));

export default {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    ...noArrowUp,
    ...noWayUp,
    {
      name: 'pages-know-no-main',
      comment: 'renderer/ and preload/ see only the contract.',
      severity: 'error',
      from: { path: '^(renderer|preload|gallery)/' },
      to: { path: '^main/' },
    },
    {
      name: 'pages-know-only-the-contract',
      severity: 'error',
      from: { path: '^renderer/' },
      to: { path: '^(preload|test|scripts|tools|gallery)/', pathNot: '^preload/contract\\.ts$' },
    },
    {
      name: 'words-know-nobody',
      severity: 'error',
      from: { path: '^strings/' },
      to: { path: '^(main|preload|renderer|gallery|shared|test|scripts|tools)/' },
    },
    {
      name: 'shared-knows-only-words',
      comment: 'Pure facts that main and pages both need.',
      severity: 'error',
      from: { path: '^shared/' },
      to: { path: '^(?!shared/|strings/)', pathNot: '(^|/)node_modules/(zod|jsonc-parser)/' },
    },
    {
      name: 'pages-check-nothing',
      comment:
        'What is given is checked in main: pages take the types of the schemas, and none of their weight.',
      severity: 'error',
      from: { path: '^(renderer|preload|gallery)/' },
      to: { path: '^shared/schemas/|(^|/)node_modules/zod/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'pages-reach-no-checks',
      severity: 'error',
      from: { path: '^shared/', pathNot: '^shared/schemas/' },
      to: { path: '^shared/schemas/|(^|/)node_modules/zod/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'main-knows-no-pages',
      severity: 'error',
      from: { path: '^main/' },
      to: { path: '^(renderer|gallery|test|scripts|tools)/|^preload/(?!contract\\.ts$)' },
    },
    {
      name: 'electron-only-at-the-edge',
      comment: 'All else in main/ runs in plain Node.',
      severity: 'error',
      from: { path: '^main/', pathNot: '^main/(index\\.ts|app\\.ts|desktop/|ipc/)' },
      to: { path: '(^|/)node_modules/electron(-updater)?/|^electron$' },
    },
    {
      name: 'contract-only-at-the-edge',
      severity: 'error',
      from: { path: '^main/', pathNot: '^main/(desktop|ipc)/' },
      to: { path: '^preload/' },
    },
    {
      name: 'rooms-know-nothing-above',
      severity: 'error',
      from: { path: plainRooms },
      to: { path: '^main/(index|app|settings|settings-file)\\.ts$|^main/(desktop|ipc|cli)/' },
    },
    {
      name: 'the-command-knows-no-desktop',
      comment: 'And the desktop nothing of the command: each is an edge of its own.',
      severity: 'error',
      from: { path: '^main/cli/' },
      to: { path: '^main/(index\\.ts$|desktop/|ipc/)' },
    },
    {
      name: 'the-desktop-knows-no-command',
      comment: 'Which of them is started, the entry (index.ts) decides.',
      severity: 'error',
      from: { path: '^main/(app\\.ts$|desktop/|ipc/)' },
      to: { path: '^main/cli/' },
    },
    {
      name: 'facts-below-words-at-the-edge',
      comment: 'What is kept or crosses a border is a fact; the desktop, the bridge and mail say it.',
      severity: 'error',
      from: { path: plainRooms, pathNot: '^main/alerts/' },
      to: { path: '^main/say\\.ts$' },
    },
    {
      name: 'plain-node-says-nothing-as-a-page',
      comment: 'What pages say is read by Vite (import.meta.glob): a process of plain Node ends there.',
      severity: 'error',
      from: { path: '^(scripts|tools|test/fuzz)/', pathNot: '^tools/screenshots/' },
      to: { reachable: true, path: '^renderer/say\\.ts$' },
    },
    {
      name: 'a-check-asks-nobody',
      comment: 'What looks into data has neither account nor network: nothing that it reaches knows them.',
      severity: 'error',
      from: { path: '^main/inspect/check/' },
      to: {
        reachable: true,
        path: '^main/(?:service|account|storage|transfer|workers|tiling|jobs|watch|alerts)/|^main/cli/environment-network\\.ts$',
      },
    },
    {
      name: 'state-and-components-know-no-screens',
      severity: 'error',
      from: { path: '^renderer/(state|components|words)/' },
      to: { path: '^renderer/screens/' },
    },
    {
      name: 'state-knows-no-components',
      severity: 'error',
      from: { path: '^renderer/(state|words)/' },
      to: { path: '^renderer/components/' },
    },
    {
      name: 'markdown-when-it-is-needed',
      comment:
        'Most descriptions are never looked at as Markdown: what reads it is loaded with the first preview.',
      severity: 'error',
      from: { path: '^renderer/', pathNot: '^renderer/(components/markdown|screens/help/pages)/' },
      to: { path: '^renderer/components/markdown/|(^|/)node_modules/markdown-it/', dynamic: false },
    },
    {
      name: 'help-when-it-is-needed',
      comment: 'Its pages in all languages are loaded when someone asks for help or searches everything.',
      severity: 'error',
      from: { path: '^renderer/', pathNot: '^renderer/screens/help/pages/' },
      to: { path: '^renderer/screens/help/pages/', dynamic: false, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'map-when-it-is-needed',
      comment:
        'The outline of all countries is as large as the rest of the window: it is loaded with the first map.',
      severity: 'error',
      from: { path: '^renderer/', pathNot: '^renderer/components/map/' },
      to: { path: '^renderer/components/map/', dynamic: false },
    },
    {
      name: 'projections-when-they-are-needed',
      severity: 'error',
      from: { path: '^main/', pathNot: '^main/inspect/crs/' },
      to: {
        path: '^main/inspect/crs/(lon-lat|footprints)\\.ts$',
        dynamic: false,
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'socks-when-it-is-needed',
      comment:
        'Most uploads meet no such proxy: upload workers load what speaks to one with the first connection.',
      severity: 'error',
      from: { pathNot: '^main/storage/agents/socks-connection\\.ts$' },
      to: {
        path: '(^|/)node_modules/(socks(-proxy-agent)?|agent-base)/|^main/storage/agents/socks-connection\\.ts$',
        dynamic: false,
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'storage-library-when-it-is-needed',
      comment:
        'Half a megabyte that small files, the launch and the upload workers do without: only control requests know it, and they are imported when one is made.',
      severity: 'error',
      from: { path: '^main/', pathNot: '^main/storage/control-requests.ts$' },
      to: { path: '(^|/)node_modules/@aws-sdk/' },
    },
    {
      name: 'coordinate-systems-when-they-are-needed',
      comment: 'Most starts name none: the table of them is loaded with the first source or search.',
      severity: 'error',
      from: { path: '^main/' },
      to: { path: '^main/inspect/crs/epsg\\.json$', dynamic: false },
    },
    {
      name: 'mail-when-it-is-needed',
      comment: 'Most people want none: what speaks to mail servers is loaded with the first letter.',
      severity: 'error',
      from: { path: '^main/' },
      to: { path: '(^|/)node_modules/nodemailer/', dynamic: false, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'control-requests-when-they-are-needed',
      severity: 'error',
      from: { path: '^main/' },
      to: { path: '^main/storage/control-requests.ts$', dynamic: false, dependencyTypesNot: ['type-only'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.mjs', '.js', '.svelte'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
