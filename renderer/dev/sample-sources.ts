import type { SourceView } from '../../preload/contract.ts';

export const citySource: SourceView = {
  paths: ['/data/LoD2_Altstadt'],
  suggestedName: 'LoD2 Altstadt',
  fileCount: 36,
  bytes: 2.1e9,
  extensions: [
    { extension: '.gml', count: 34 },
    { extension: '.jpg', count: 2 },
  ],
  ignoredCount: 2,
  ignoredNames: ['Thumbs.db', 'texturen/Thumbs.db'],
  suggestion: { kind: 'CityGML', assetType: '3DTILES', sourceType: 'CITYGML', reason: '34 .gml files' },
  forecast: { seconds: 70, bytesPerSecond: 31e6, shareOfLife: 70 / 3600 },
};

export const mixedSource: SourceView = {
  paths: ['/data/Lieferung/a.e57', '/data/Lieferung/b.e57', 'D:\\Scans\\c'],
  suggestedName: 'Lieferung',
  fileCount: 5120,
  bytes: 81.2e9,
  extensions: [
    { extension: '.e57', count: 2 },
    { extension: '.ptx', count: 5001 },
    { extension: '.txt', count: 100 },
    { extension: '.pdf', count: 16 },
    { extension: '', count: 1 },
  ],
  ignoredCount: 0,
  ignoredNames: [],
  suggestion: null,
  forecast: null,
};

/** Takes so many times the life of its storage credentials. */
export function largeSource(shareOfLife: number): SourceView {
  const seconds = shareOfLife * 3600;
  return { ...citySource, bytes: seconds * 12e6, forecast: { seconds, bytesPerSecond: 12e6, shareOfLife } };
}
