import { join } from 'node:path';
import type { Control } from '../../test/service/model.ts';
import { jpeg, type WriterDesk, writeIn } from './desk.ts';

const name = 'refused-by-storage';

/** A control whose storage refuses that delivery, even after faults are cleared. */
export function refusingOne(control: Control): Control {
  const refuse = () =>
    control.addFault({
      match: { room: 'storage', path: name, times: Number.MAX_SAFE_INTEGER },
      action: {
        kind: 'status',
        status: 403,
        headers: { 'content-type': 'application/xml' },
        body: '<?xml version="1.0"?><Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>',
      },
    });
  refuse();
  return {
    ...control,
    clearFaults: () => {
      control.clearFaults();
      refuse();
    },
  };
}

export function writeRefused(desk: WriterDesk): Promise<void> {
  return writeIn(desk, join(desk.landings, name, `${name}.jpg`), jpeg(desk, 50_000));
}

/** Whether an asset belongs to that delivery; it never completes. */
export function isRefused(asset: { readonly name: string }): boolean {
  return asset.name === name;
}
