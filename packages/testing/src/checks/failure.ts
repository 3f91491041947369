import { LedgerAssertionError } from '../failure.js';
import type { Finding, RunStory } from './finding.js';
import { describeFinding, tellStory } from './story.js';

/** The failure of a check, with everything that is needed to repeat it. */
export class LedgerCheckFailure extends LedgerAssertionError {
  override readonly name: string = 'LedgerCheckFailure';
  readonly finding: Finding;
  readonly story: RunStory;
  /** Token of the run; pass it to {@link replayToken}. */
  readonly token: string;
  /** Code or a command line that repeats the failure. Its variables must have the values of the failed check. */
  readonly again: string;
  /** Number of runs up to and including the failing one. */
  readonly runs: number;
  readonly shrinks: number;
  /** The path of the written log; null without `writeLog`. */
  readonly logFile: string | null;

  constructor(found: Omit<LedgerCheckFailure, keyof Error | 'expected' | 'actual'>) {
    const { finding, story, token, again, runs, shrinks, logFile } = found;
    super(
      [
        `${headline(finding)}; after ${runs} runs, shrunk ${shrinks} times`,
        tellStory(story),
        `  again   ${again}`,
        ...(logFile === null ? [] : [`  log     ${logFile}`]),
      ].join('\n'),
    );
    this.finding = finding;
    this.story = story;
    this.token = token;
    this.again = again;
    this.runs = runs;
    this.shrinks = shrinks;
    this.logFile = logFile;
  }
}

function headline(finding: Finding): string {
  const [first = ''] = describeFinding(finding).split('\n');
  return first.replace(/:$/, '');
}
