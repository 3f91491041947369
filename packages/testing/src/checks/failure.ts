import { LedgerAssertionError } from '../failure.js';
import type { Finding, RunStory } from './finding.js';
import { describeFinding, tellStory } from './story.js';

/** What a check throws that found something: all it takes to see it again. */
export class LedgerCheckFailure extends LedgerAssertionError {
  override readonly name: string = 'LedgerCheckFailure';
  /** What is wrong, after shrinking. */
  readonly finding: Finding;
  /** The shortest run that was found to show it. */
  readonly story: RunStory;
  /** The run, for {@link replayToken}. */
  readonly token: string;
  /** Code or a command that fails in the same way, in a place where the names in it are those of the failed check. */
  readonly again: string;
  /** Runs until it was found. */
  readonly runs: number;
  /** How often it was made smaller. */
  readonly shrinks: number;
  /** Where its log was written to, when somebody writes logs. */
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

/** The finding in a few words. */
function headline(finding: Finding): string {
  const [first = ''] = describeFinding(finding).split('\n');
  return first.replace(/:$/, '');
}
