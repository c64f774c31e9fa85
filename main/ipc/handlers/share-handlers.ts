import { assetSnippet, embedCode } from '../../../shared/asset-snippets.ts';
import type { ShareTexts } from '../../../shared/assets.ts';
import type { ServiceAddress } from '../../../shared/services.ts';
import type { Extent } from '../../../shared/source.ts';
import type { Tilelift } from '../../app.ts';
import type { CheckReport } from '../../inspect/check/check-report.ts';
import { checkSent } from '../../inspect/check/check-sources.ts';
import { supplierMessage } from '../../inspect/check/supplier-message.ts';
import { formatDay, formatExtent, say, sayPhrase } from '../../say.ts';
import { assetPageAddress } from '../../service/service-address.ts';
import type { CallHandlers } from '../bind.ts';

type ShareCall = 'assets.share' | 'assets.copyShared' | 'jobs.copySupplierMessage';

/** How long files are inspected for their extent, ms: a share needs none. */
const extentPatienceMs = 4_000;
const messagePatienceMs = 60_000;

/**
 * Handlers for texts about an asset or its source.
 *
 * @param accountId returns the current account or throws
 * @param copy writes to the clipboard
 */
export function shareHandlers(
  { inspector, jobs }: Pick<Tilelift, 'inspector' | 'jobs'>,
  accountId: () => string,
  addressOf: (accountId: string) => ServiceAddress,
  copy: (text: string) => void,
): Pick<CallHandlers, ShareCall> {
  let sharedTexts: ShareTexts | null = null;
  const check = (jobId: string, patienceMs: number): Promise<CheckReport> =>
    checkSent(jobs.requestOf(jobId), inspector, AbortSignal.timeout(patienceMs));
  const extentOf = async (owner: string, assetId: number): Promise<Extent | null> => {
    const job = jobs.ofAsset(owner, assetId).find(({ isListed }) => isListed);
    if (!job) return null;
    const [source] = (await check(job.id, extentPatienceMs)).sources;
    return source?.complete ? source.extent : null;
  };
  return {
    'assets.share': async ({ accountId: id, createdAt, ...asset }) => {
      const owner = id ?? accountId();
      const address = addressOf(owner);
      const link = assetPageAddress(address, asset.id);
      const extent = await extentOf(owner, asset.id);
      const lines = [
        say('share.about', { name: asset.name }),
        link,
        ...(createdAt === null ? [] : [say('share.created', { day: formatDay(createdAt) })]),
        ...(extent === null ? [] : [say('share.extent', { extent: formatExtent(extent) })]),
      ];
      sharedTexts = {
        link,
        message: `${lines.join('\n')}\n`,
        embed: embedCode(asset, address),
        cesiumjs: assetSnippet(asset, 'cesiumjs', address),
        unreal: assetSnippet(asset, 'unreal', address),
        unity: assetSnippet(asset, 'unity', address),
      };
      return sharedTexts;
    },
    'assets.copyShared': async (part) => {
      if (sharedTexts) copy(sharedTexts[part]);
    },
    'jobs.copySupplierMessage': async (id) => {
      const report = await check(id, messagePatienceMs);
      const terminal = process.platform === 'win32' ? 'windows' : 'posix';
      const message = supplierMessage(report, jobs.get(id)?.error?.remote?.message ?? null, terminal);
      copy(message.map(({ depth, text }) => '  '.repeat(depth) + sayPhrase(text)).join('\n'));
    },
  };
}
