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
    // The event object stays here: it would hand the page a way to send.
    const forward = (_event: unknown, value: Parameters<typeof listener>[0]) => listener(value);
    ipcRenderer.on(channel, forward);
    return () => {
      ipcRenderer.removeListener(channel, forward);
    };
  },
  pathOf: (file) => {
    const path = webUtils.getPathForFile(file);
    // Comes before whatever the page asks next: both go the same way.
    if (path !== '') ipcRenderer.send(droppedChannel, path);
    return path;
  },
};

contextBridge.exposeInMainWorld('tilelift', bridge);
