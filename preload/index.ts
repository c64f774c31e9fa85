import { contextBridge, ipcRenderer, webUtils } from 'electron';
import { callNames, droppedChannel, eventNames, type TileliftBridge } from './contract.ts';

const knownCalls: ReadonlySet<string> = new Set(callNames);
const knownEvents: ReadonlySet<string> = new Set(eventNames);

const bridge: TileliftBridge = {
  call: (name, input) => {
    if (!knownCalls.has(name)) return Promise.reject(new TypeError('No such call'));
    return ipcRenderer.invoke(`tilelift:${name}`, input);
  },
  on: (name, listener) => {
    if (!knownEvents.has(name)) throw new TypeError('No such event');
    const channel = `tilelift:${name}`;
    // Drops the event object, which would let the page send messages.
    const forward = (_event: unknown, value: Parameters<typeof listener>[0]) => listener(value);
    ipcRenderer.on(channel, forward);
    return () => {
      ipcRenderer.removeListener(channel, forward);
    };
  },
  pathOf: (file) => {
    const path = webUtils.getPathForFile(file);
    // Arrives before the page's next call, on the same channel.
    if (path !== '') ipcRenderer.send(droppedChannel, path);
    return path;
  },
};

contextBridge.exposeInMainWorld('tilelift', bridge);
