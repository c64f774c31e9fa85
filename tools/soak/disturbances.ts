import { setTimeout as pause } from 'node:timers/promises';
import type { Control } from '../../test/service/model.ts';
import { addStranger } from '../chaos/foreign.ts';
import type { Chance } from '../chaos/random.ts';
import type { RemovableDrive } from './drive.ts';
import { logOfFlight } from './expected.ts';
import type { Watcher } from './watcher.ts';

export interface Scene {
  readonly control: Control;
  readonly drive: RemovableDrive;
  readonly watcher: Watcher;
  readonly clone: Watcher;
}

type Disturbance = (scene: Scene, chance: Chance) => Promise<string>;

const kill: Disturbance = async ({ watcher }) => {
  await watcher.killAndRestart();
  return 'killed and started again';
};

const killClone: Disturbance = async ({ clone }) => {
  await clone.killAndRestart();
  return 'the clone was killed and started again';
};

let isLogLeftOut = false;

/**
 * Edits the ignore lines of a rule with finished, running and arriving sources, and keeps those sources
 * unchanged.
 */
const editRule: Disturbance = async ({ watcher }) => {
  isLogLeftOut = !isLogLeftOut;
  const concernedCount = await watcher.edit('landings', isLogLeftOut ? [logOfFlight] : []);
  return `a rule was edited: ${concernedCount} sources left as they are`;
};

const unplug: Disturbance = async ({ drive }, chance) => {
  const seconds = chance.between(2, 20);
  await drive.unplug();
  await pause(seconds * 1000);
  await drive.plugIn();
  return `unplugged for ${seconds} s`;
};

const dropNetwork: Disturbance = async ({ control }, chance) => {
  const seconds = chance.between(1, 15);
  const deadConnection = { kind: 'cut-request', afterBytes: 0 } as const;
  const faults = ['api', 'auth'] as const;
  for (const faultRoom of faults)
    control.addFault({ match: { room: faultRoom, times: 1e6 }, action: deadConnection });
  await control.closeStorage();
  await pause(seconds * 1000);
  await control.openStorage();
  control.clearFaults();
  return `no network for ${seconds} s`;
};

const portal: Disturbance = async ({ control }, chance) => {
  const seconds = chance.between(2, 10);
  const rooms = ['api', 'storage'] as const;
  for (const faultRoom of rooms) addStranger(control, { room: faultRoom, times: 1e6 }, chance);
  await pause(seconds * 1000);
  control.clearFaults();
  return `somebody else answered for ${seconds} s`;
};

const killUnplugged: Disturbance = async (scene, chance) => {
  await scene.drive.unplug();
  await scene.watcher.killAndRestart();
  await pause(chance.between(1, 8) * 1000);
  await scene.drive.plugIn();
  return 'started again while unplugged';
};

const endTokens: Disturbance = async ({ control }) => {
  control.expireAccessTokens();
  return 'access tokens ended';
};

/** The watchers notice at the next refresh and sign in again (`watcher-process.ts`). */
const signOut: Disturbance = async ({ control }) => {
  control.revokeRefreshTokens();
  control.expireAccessTokens();
  return 'signed out';
};

export const disturbances: readonly (readonly [weight: number, disturbance: Disturbance])[] = [
  [5, kill],
  [3, unplug],
  [3, dropNetwork],
  [2, portal],
  [1, killUnplugged],
  [1, endTokens],
  [2, signOut],
  [2, killClone],
  [3, editRule],
];
