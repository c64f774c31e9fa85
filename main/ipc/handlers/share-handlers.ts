import { assetSnippet, embedCode } from '../../../shared/asset-snippets.ts';
import type { ShareTexts } from '../../../shared/assets.ts';
import type { ServiceAddress } from '../../../shared/services.ts';
import type { Extent } from '../../../shared/source.ts';
import type { Tilelift } from '../../app.ts';
import { TileliftError } from '../../errors.ts';
import type { CheckReport } from '../../inspect/check/check-report.ts';
import { checkSources } from '../../inspect/check/check-sources.ts';
import { supplierMessage } from '../../inspect/check/supplier-message.ts';
import { formatDay, formatExtent, say, sayPhrase } from '../../say.ts';
import { assetPageAddress } from '../../service/service-address.ts';
import type { CallHandlers } from '../bind.ts';

type ShareCall = 'assets.share' | 'assets.copyShared' | 'jobs.copySupplierMessage';

/** How long a source is inspected for its extent, ms: a share needs none. */
const extentPatienceMs = 4_000;
const messagePatienceMs = 60_000;

/** Handlers for texts about an asset or its source. `copy` writes to the clipboard. */
export function shareHandlers(
  { inspector, jobs }: Pick<Tilelift, 'inspector' | 'jobs'>,
  addressOf: (accountId: string | null) => ServiceAddress,
  copy: (text: string) => void,
): Pick<CallHandlers, ShareCall> {
  let sharedTexts: ShareTexts | null = null;
  const check = (paths: readonly string[], patienceMs: number): Promise<CheckReport> =>
    checkSources(
      { paths, sourceTypes: null, strict: false },
      { inspector, notify: () => {} },
      AbortSignal.timeout(patienceMs),
    );
  const extentOf = async (jobId: string | null): Promise<Extent | null> => {
    const job = jobId === null ? undefined : jobs.get(jobId);
    if (!job) return null;
    const { sources } = await check(job.paths, extentPatienceMs);
    const [source] = sources;
    return sources.length === 1 && source?.complete ? source.extent : null;
  };
  return {
    'assets.share': async ({ accountId, createdAt, jobId, ...asset }) => {
      const address = addressOf(accountId);
      const link = assetPageAddress(address, asset.id);
      const extent = await extentOf(jobId);
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
      const job = jobs.get(id);
      if (!job) throw new TileliftError('job-unknown');
      const report = await check(job.paths, messagePatienceMs);
      const terminal = process.platform === 'win32' ? 'windows' : 'posix';
      const message = supplierMessage(report, job.error?.remote?.message ?? null, terminal);
      copy(message.map(({ depth, text }) => '  '.repeat(depth) + sayPhrase(text)).join('\n'));
    },
  };
}
