import ArrowDown from '@lucide/svelte/icons/arrow-down';
import ArrowUp from '@lucide/svelte/icons/arrow-up';
import ArrowUpToLine from '@lucide/svelte/icons/arrow-up-to-line';
import Ban from '@lucide/svelte/icons/ban';
import ClipboardList from '@lucide/svelte/icons/clipboard-list';
import Copy from '@lucide/svelte/icons/copy';
import ExternalLink from '@lucide/svelte/icons/external-link';
import EyeOff from '@lucide/svelte/icons/eye-off';
import FolderOpen from '@lucide/svelte/icons/folder-open';
import Folders from '@lucide/svelte/icons/folders';
import Globe from '@lucide/svelte/icons/globe';
import Mail from '@lucide/svelte/icons/mail';
import Pause from '@lucide/svelte/icons/pause';
import PencilLine from '@lucide/svelte/icons/pencil-line';
import Play from '@lucide/svelte/icons/play';
import RotateCw from '@lucide/svelte/icons/rotate-cw';
import Rows3 from '@lucide/svelte/icons/rows-3';
import Share from '@lucide/svelte/icons/share-2';
import TextCursorInput from '@lucide/svelte/icons/text-cursor-input';
import Trash from '@lucide/svelte/icons/trash';
import Undo from '@lucide/svelte/icons/undo-2';
import Upload from '@lucide/svelte/icons/upload';
import type { Component } from 'svelte';
import type { QueueChoice, RowChoice } from '../../state/uploads/choices.ts';

type Icon = Component<{ size?: number | string; class?: string; 'aria-hidden'?: 'true' }>;
type AnyChoice = RowChoice | QueueChoice;

const icons: Readonly<Record<AnyChoice, Icon>> = {
  'try-now': RotateCw,
  confirm: Upload,
  pause: Pause,
  resume: Play,
  cancel: Ban,
  'stop-following': EyeOff,
  split: Folders,
  correct: PencilLine,
  'try-again': RotateCw,
  'start-again': RotateCw,
  remove: Trash,
  'copy-id': Copy,
  share: Share,
  'supplier-message': Mail,
  'open-asset': ExternalLink,
  'view-asset': Globe,
  next: ArrowUpToLine,
  up: ArrowUp,
  down: ArrowDown,
  rename: TextCursorInput,
  'show-in-folder': FolderOpen,
  'copy-list': ClipboardList,
  'bring-back': Undo,
  compact: Rows3,
};

export function choiceIcon(choice: AnyChoice): Icon {
  return icons[choice];
}
