import type { CDPSession } from 'playwright';
import { eventually } from './eventually.ts';
import { leastContrast, measureFocusMark } from './focus-mark.ts';
import type { TileliftWindow } from './tilelift-window.ts';

/** The focused element as screen readers name it. */
interface Stop {
  readonly role: string;
  readonly name: string;
}

type Name = string | RegExp;

/** A keyboard user without a pointer who sees the focus. */
export interface Keyboard {
  press(...keys: string[]): Promise<void>;
  type(text: string): Promise<void>;
  overwrite(text: string): Promise<void>;
  /** A menu shortcut with Ctrl or Command, sent as the system does. */
  shortcut(key: string, ...further: 'shift'[]): Promise<void>;
  focused(): Promise<Stop>;
  /** Waits until the focus moves there by itself, for example after opening or closing. */
  arriveAt(name: Name, role?: Name): Promise<void>;
  tabTo(name: Name, role?: Name): Promise<void>;
  tabBackTo(name: Name, role?: Name): Promise<void>;
  arrowTo(name: Name, arrow?: 'ArrowDown' | 'ArrowUp' | 'ArrowRight' | 'ArrowLeft'): Promise<void>;
  /** Opens the focused element's menu or list and picks an entry. */
  choose(name: Name): Promise<void>;
  /** Picks from an opening menu or list. */
  pick(name: Name): Promise<void>;
  /** All stops of Tab until it returns to the first one, which comes last. */
  round(): Promise<readonly Stop[]>;
}

/** More than any tested screen has. */
const maxStops = 60;

export async function keyboardOf({ app, page }: TileliftWindow): Promise<Keyboard> {
  const session = await page.context().newCDPSession(page);

  const keyboard: Keyboard = {
    press: async (...keys) => {
      for (const key of keys) await page.keyboard.press(key);
    },
    type: (text) => page.keyboard.type(text),
    overwrite: async (text) => {
      await page.keyboard.press('ControlOrMeta+A');
      await page.keyboard.type(text);
    },
    shortcut: (key, ...further) =>
      app.evaluate(
        ({ BrowserWindow }, { keyCode, modifiers }) =>
          BrowserWindow.getAllWindows()[0]?.webContents.sendInputEvent({
            type: 'keyDown',
            keyCode,
            modifiers,
          }),
        {
          keyCode: key,
          modifiers: [process.platform === 'darwin' ? ('meta' as const) : ('control' as const), ...further],
        },
      ),
    focused: () => stopOf(session),
    arriveAt: (name, role) =>
      eventually(async () => {
        const stop = await stopOf(session);
        if (!is(stop, name, role)) throw new Error(`The focus is at ${say(stop)}, not at ${name}`);
        await expectMark(stop);
      }),
    tabTo: (name, role) => walk('Tab', name, role),
    tabBackTo: (name, role) => walk('Shift+Tab', name, role),
    arrowTo: (name, arrow = 'ArrowDown') => walk(arrow, name),
    choose: async (name) => {
      await page.keyboard.press('Enter');
      await keyboard.pick(name);
    },
    pick: async (name) => {
      await keyboard.arriveAt(/./, /^(menuitem|option)$/);
      await page.keyboard.press('Home');
      await walk('ArrowDown', name);
      await page.keyboard.press('Enter');
    },
    round: async () => {
      const first = await identity();
      const met: Stop[] = [];
      while (met.length < maxStops) {
        await page.keyboard.press('Tab');
        const stop = await stopOf(session);
        met.push(stop);
        if (stop.role !== '') await expectMark(stop);
        if ((await identity()) === first) return met;
      }
      throw new Error(`Tab does not come round: ${met.map(say).join(' → ')}`);
    },
  };
  return keyboard;

  async function walk(key: string, name: Name, role?: Name): Promise<void> {
    const met: Stop[] = [await stopOf(session)];
    for (let stop = met[0]; stop && !is(stop, name, role); stop = met.at(-1)) {
      if (met.length > maxStops)
        throw new Error(`${key} does not lead to ${name}: ${[...new Set(met.map(say))].join(' → ')}`);
      await page.keyboard.press(key);
      const next = await stopOf(session);
      met.push(next);
      // The focus is nowhere between the window's last and first stop.
      if (next.role !== '') await expectMark(next);
    }
  }

  async function expectMark(stop: Stop): Promise<void> {
    // Elements that fade in reach their final colours and position after a moment.
    await eventually(async () => {
      const mark = await measureFocusMark(page);
      if (!mark || mark.contrast < leastContrast)
        throw new Error(
          `The focus does not show at ${say(stop)}: ${mark?.said}, contrast ${mark?.contrast.toFixed(2)}`,
        );
      if (!mark.inSight) throw new Error(`The focus is out of sight at ${say(stop)}`);
    }, 1_500);
  }

  function identity(): Promise<string> {
    return page.evaluate(() => {
      const path: number[] = [];
      for (let one = document.activeElement; one?.parentElement; one = one.parentElement)
        path.push([...one.parentElement.children].indexOf(one));
      return path.join('.');
    });
  }
}

const is = (stop: Stop, name: Name, role: Name = /./) => fits(stop.name, name) && fits(stop.role, role);
const fits = (text: string, pattern: Name) =>
  typeof pattern === 'string' ? text === pattern : pattern.test(text);

const say = ({ role, name }: Stop) => (role === '' ? 'nothing' : `${role} “${name}”`);

const focusedElement = `(() => {
  const focused = document.activeElement;
  const active = focused?.getAttribute('aria-activedescendant');
  return (active && document.getElementById(active)) || focused;
})()`;

/** Role and name as Chromium reports them to screen readers; both empty without focus. */
async function stopOf(session: CDPSession): Promise<Stop> {
  const { result } = await session.send('Runtime.evaluate', { expression: focusedElement });
  if (!result.objectId || result.className === 'HTMLBodyElement') return { role: '', name: '' };
  const { nodes } = await session.send('Accessibility.getPartialAXTree', {
    objectId: result.objectId,
    fetchRelatives: false,
  });
  await session.send('Runtime.releaseObject', { objectId: result.objectId });
  const [node] = nodes;
  return { role: String(node?.role?.value ?? ''), name: String(node?.name?.value ?? '') };
}
