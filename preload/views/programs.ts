import { call } from '../call.ts';
/** A program that is started on this computer when a source has ended. */
export interface ProgramView {
  /** Absolute. */
  readonly file: string;
  /** One each; `{asset-id} {source} {receipt} {outcome}` stand for what they say. */
  readonly arguments: readonly string[];
}

export interface ProgramsView {
  readonly success: ProgramView | null;
  readonly failure: ProgramView | null;
}

/** The calls about programs: what each takes, and what it gives. */
export const programCalls = {
  /** What is started when sources of a rule have ended, by the rule's id. */
  'programs.of': call<string, ProgramsView>(),
  /** The system's dialog; null when the person cancels. */
  'programs.choose': call<null, string | null>(),
  /** One that was chosen or is set already; the person is asked by a dialog of the system's. Null for none. */
  'programs.set': call<
    {
      readonly id: string;
      readonly when: 'success' | 'failure';
      readonly program: ProgramView | null;
    },
    ProgramsView
  >(),
};
