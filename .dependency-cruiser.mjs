/** The layers of the house (docs: CONTRIBUTING.md, "The house"). */
const plainRooms = '^main/(service|account|upload|jobs|tiling|watch|alerts)/';

export default {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'pages-know-no-main',
      comment: 'renderer/ and preload/ see only the contract.',
      severity: 'error',
      from: { path: '^(renderer|preload)/' },
      to: { path: '^main/' },
    },
    {
      name: 'pages-know-only-the-contract',
      severity: 'error',
      from: { path: '^renderer/' },
      to: { path: '^(preload|test|scripts)/', pathNot: '^preload/contract\\.ts$' },
    },
    {
      name: 'words-know-nobody',
      severity: 'error',
      from: { path: '^strings/' },
      to: { path: '^(main|preload|renderer|test|scripts)/' },
    },
    {
      name: 'main-knows-no-pages',
      severity: 'error',
      from: { path: '^main/' },
      to: { path: '^(renderer|test|scripts)/|^preload/(?!contract\\.ts$)' },
    },
    {
      name: 'electron-only-at-the-edge',
      comment: 'All else in main/ runs in plain Node.',
      severity: 'error',
      from: { path: '^main/', pathNot: '^main/(index\\.ts|app\\.ts|desktop/|ipc/)' },
      to: { path: '(^|/)node_modules/electron(-store|-updater)?/|^electron$' },
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
      to: { path: '^main/(index|app)\\.ts$|^main/(desktop|ipc)/' },
    },
    {
      name: 'middle-rooms-know-only-the-service',
      comment: 'jobs, watch → upload, tiling, account → service',
      severity: 'error',
      from: { path: '^main/(upload|tiling|account)/' },
      to: { path: '^main/(jobs|watch)/' },
    },
    {
      name: 'jobs-know-nothing-of-watching',
      comment: 'watch → jobs: a job is the same whoever wants it.',
      severity: 'error',
      from: { path: '^main/jobs/' },
      to: { path: '^main/watch/' },
    },
    {
      name: 'nobody-waits-for-alerts',
      comment: 'alerts → watch: the rooms do their work, whoever is told of it.',
      severity: 'error',
      from: { path: '^main/(service|account|upload|jobs|tiling|watch|policy)/' },
      to: { path: '^main/alerts/' },
    },
    {
      name: 'middle-rooms-do-not-know-each-other',
      severity: 'error',
      from: { path: '^main/(upload|tiling|account)/' },
      to: { path: '^main/(upload|tiling|account)/', pathNot: '^main/$1/' },
    },
    {
      name: 'policy-is-a-leaf',
      comment: 'It knows the ground alone, and the other rooms are handed what it allows.',
      severity: 'error',
      from: { path: '^main/policy/' },
      to: { path: '^main/(account|upload|tiling|jobs|watch|alerts|desktop|ipc)/|^main/(index|app)\\.ts$' },
    },
    {
      name: 'rooms-know-no-policy',
      severity: 'error',
      from: { path: plainRooms },
      to: { path: '^main/policy/' },
    },
    {
      name: 'socks-when-it-is-needed',
      comment:
        'Most uploads meet no such proxy: upload workers load what speaks to one with the first connection.',
      severity: 'error',
      from: {},
      to: { path: '(^|/)node_modules/socks/', dynamic: false },
    },
    {
      name: 'storage-library-when-it-is-needed',
      comment:
        'Half a megabyte that small files, the launch and the upload workers do without: only control requests know it, and they are imported when one is made.',
      severity: 'error',
      from: { path: '^main/', pathNot: '^main/upload/control-requests\\.ts$' },
      to: { path: '(^|/)node_modules/@aws-sdk/' },
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
      to: { path: '^main/upload/control-requests\\.ts$', dynamic: false, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'service-is-the-ground',
      severity: 'error',
      from: { path: '^main/service/' },
      to: { path: '^main/(account|upload|tiling|jobs|watch)/' },
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
