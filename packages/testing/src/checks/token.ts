import { malformed, at, isOneOf } from '@coinlab/core/workflows';
import {
  COMMAND_TYPES,
  LAWS,
  ok,
  type CommandType,
  type Law,
  type Ledger,
  type Malformed,
  type Result,
} from '@coinlab/core';
import { STARTS, type StartName } from './starts.js';
import { readToken, writeToken } from './token-text.js';

/** Version of the test kit, equal to the version in its package.json. */
export const KIT_VERSION = '0.1.0' as const;

/**
 * Version of the generator of random commands. Raise it with every change that makes a seed draw other
 * commands.
 */
export const GENERATOR = 6;

const MARK = 'coinlab2';

/** The settings of a run. A ledger answers equal tokens with equal runs. */
export interface ReplayToken {
  /** {@link KIT_VERSION} of the kit that wrote the token. */
  readonly kit: string;
  /** {@link GENERATOR} of the kit that wrote the token. */
  readonly generator: number;
  readonly system: string;
  readonly seed: number;
  /** Position of the shrunk failure among the runs of the seed, as fast-check prints it. */
  readonly path: string;
  readonly starts: readonly StartName[];
  /** SHA-256 of the state of the check's `start` ledger; null if the check had none. */
  readonly start: string | null;
  /** Names of the checked laws; null: all laws of the core. */
  readonly laws: readonly string[] | null;
  readonly maxCommands: number;
  /** The drawn types of commands; null: all types. */
  readonly commands: readonly CommandType[] | null;
}

/** Returns a token as text: `coinlab2`, the settings in base64url and a checksum, joined by dots. */
export function formatReplayToken(token: ReplayToken): string {
  const { kit, generator, system, seed, path, starts, start, laws, maxCommands, commands } = token;
  const types = commands && commands.map((type) => COMMAND_TYPES.indexOf(type));
  return writeToken(MARK, [kit, generator, system, seed, path, starts, start, laws, maxCommands, types]);
}

/** Parses a token. Refuses a text with another mark, a wrong checksum or unknown settings. */
export function parseReplayToken(token: string): Result<ReplayToken, Malformed> {
  const fields = readToken(MARK, token);
  const expected = `a whole replay token of this kit: ${MARK}.….…`;
  return isFields(fields) ? ok(tokenOf(fields)) : malformed('token', token, expected);
}

type Fields = readonly [
  kit: string,
  generator: number,
  system: string,
  seed: number,
  path: string,
  starts: readonly StartName[],
  start: string | null,
  laws: readonly string[] | null,
  maxCommands: number,
  types: readonly number[] | null,
];

function isFields(json: unknown): json is Fields {
  if (!Array.isArray(json) || json.length !== 10) return false;
  const [kit, generator, system, seed, path, starts, start, laws, maxCommands, types]: readonly unknown[] = json;
  const texts = [kit, system, path, start ?? '', ...(Array.isArray(laws) ? laws : [])].every(
    (field) => typeof field === 'string',
  );
  const numbers = [generator, seed, maxCommands].every(Number.isInteger);
  const known = Array.isArray(starts) && starts.every((start) => isOneOf(STARTS, start));
  const listed = types === null || (Array.isArray(types) && types.every((place) => COMMAND_TYPES[place] !== undefined));
  return texts && numbers && known && listed && (laws === null || Array.isArray(laws));
}

function tokenOf(fields: Fields): ReplayToken {
  const [kit, generator, system, seed, path, starts, start, laws, maxCommands, types] = fields;
  const commands = types && types.map((place) => at(COMMAND_TYPES, place));
  return { kit, generator, system, seed, path, starts, start, laws, maxCommands, commands };
}

/** The inputs of a replay that its token contains only as hashes or names. */
export interface ReplayGiven {
  readonly start?: Ledger;
  readonly laws?: readonly Law[];
}

/** Returns why a replay would differ from the run of the token, and what to change; null if nothing differs. */
export function replayObstacle(token: ReplayToken, { start, laws }: ReplayGiven): string | null {
  if (token.kit !== KIT_VERSION || token.generator !== GENERATOR)
    return `the token is of kit ${token.kit}, generator ${token.generator}, which draws other commands than this kit ${KIT_VERSION}, generator ${GENERATOR}: replay it there`;
  const hash = start?.hash() ?? null;
  if (token.start !== null && hash === null)
    return 'the run of the token began with a ledger that the check was given: give it as `start`';
  if (token.start !== hash) return 'the run of the token began with another ledger than `start`';
  const names = lawNames(laws);
  if (String(token.laws) === String(names)) return null;
  return `the run of the token checked ${lawList(token.laws)}: give these as \`laws\`, not ${lawList(names)}`;
}

export function lawNames(laws: readonly Law[] = LAWS): readonly string[] | null {
  return laws === LAWS ? null : laws.map(({ name }) => name);
}

function lawList(names: readonly string[] | null): string {
  return names === null
    ? 'all laws of the core'
    : `the laws ${names.map((name) => `"${name}"`).join(', ') || '(none)'}`;
}
