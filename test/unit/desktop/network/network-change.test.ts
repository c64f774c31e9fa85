import type { NetworkInterfaceInfo } from 'node:os';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { watchNetwork } from '../../../../main/desktop/network/network-change.ts';

const at = (address: string, internal = false) => ({ address, internal }) as NetworkInterfaceInfo;
const lookMs = 10_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('reports another network once, ignoring address order and loopback', () => {
  let interfaces: Record<string, NetworkInterfaceInfo[]> = { lan: [at('10.0.0.2'), at('10.0.0.3')] };
  const onChange = vi.fn();
  const stop = watchNetwork(onChange, () => interfaces);

  interfaces = { lo: [at('127.0.0.1', true)], lan: [at('10.0.0.3')], wlan: [at('10.0.0.2')] };
  vi.advanceTimersByTime(lookMs);
  expect(onChange).not.toHaveBeenCalled();

  interfaces = { wlan: [at('192.168.7.4')] };
  vi.advanceTimersByTime(2 * lookMs);
  expect(onChange).toHaveBeenCalledOnce();

  stop();
  interfaces = {};
  vi.advanceTimersByTime(lookMs);
  expect(onChange).toHaveBeenCalledOnce();
});
