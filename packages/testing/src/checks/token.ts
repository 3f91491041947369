import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, bytesToUtf8, utf8ToBytes } from '@noble/hashes/utils.js';
import { Base64, parseJsonObject } from '@coinlab/core/codec';
import { malformed, at, isOneOf } from '@coinlab/core/workflows';
import { type Malformed, ok, type Result, COMMAND_TYPES, type CommandType } from '@coinlab/core';
import { STARTS, type StartName } from './starts.js';

/** Version of the test kit: what one version draws from a seed another may not. That of the package. */
export const KIT_VERSION = '0.1.0' as const;

const MARK = 'coinlab1';

/** All it takes to see a failure again. */
export interface ReplayToken {
  /** Kit that made it. */
  readonly kit: string;
  /** Name of the system that failed. */
  readonly system: string;
  readonly seed: number;
  /** Where in the runs of the seed the shrunk failure is. */
  readonly path: string;
  readonly starts: readonly StartName[];
  readonly maxCommands: number;
  /** Null: every command. */
  readonly commands: readonly CommandType[] | null;
}

/** A token as text: `coinlab1`, the settings in base64url, a checksum, joined by points. */
export function formatReplayToken({ kit, system, seed, path, starts, maxCommands, commands }: ReplayToken): string {
  const types = commands && commands.map((type) => COMMAND_TYPES.indexOf(type));
  const text = JSON.stringify([kit, system, seed, path, starts, maxCommands, types]);
  const body = Base64.format(utf8ToBytes(text)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  return `${MARK}.${body}.${checksum(body)}`;
}

/**
 * Reads a token.
 * @returns what is wrong with it: another mark, a checksum that does not fit since something was lost on the way, unknown settings
 */
export function parseReplayToken(token: string): Result<ReplayToken, Malformed> {
  const wrong = (expected: string): Result<ReplayToken, Malformed> => malformed('token', token, expected);
  const [mark, body = '', sum, ...rest] = token.trim().split('.');
  if (mark !== MARK || rest.length > 0) return wrong(`a replay token: ${MARK}.….…`);
  if (sum !== checksum(body)) return wrong('a whole replay token; its checksum does not fit');
  const padded = body.replaceAll('-', '+').replaceAll('_', '/') + '='.repeat((4 - (body.length % 4)) % 4);
  const bytes = Base64.parse(padded, 'token');
  if (!bytes.ok) return bytes;
  const json = parseJsonObject(`{"token":${bytesToUtf8(bytes.value)}}`)?.['token'];
  return isFields(json) ? ok(tokenOf(json)) : wrong('a replay token of this kit');
}

/** The settings as they stand in a token. */
type Fields = readonly [string, string, number, string, readonly StartName[], number, readonly number[] | null];

function isFields(json: unknown): json is Fields {
  if (!Array.isArray(json) || json.length !== 7) return false;
  const [kit, system, seed, path, starts, maxCommands, types]: readonly unknown[] = json;
  const texts = [kit, system, path].every((field) => typeof field === 'string');
  const numbers = Number.isInteger(seed) && Number.isInteger(maxCommands);
  const known = Array.isArray(starts) && starts.every((start) => isOneOf(STARTS, start));
  const listed = types === null || (Array.isArray(types) && types.every((place) => COMMAND_TYPES[place] !== undefined));
  return texts && numbers && known && listed;
}

function tokenOf([kit, system, seed, path, starts, maxCommands, types]: Fields): ReplayToken {
  const commands = types && types.map((place) => at(COMMAND_TYPES, place));
  return { kit, system, seed, path, starts, maxCommands, commands };
}

function checksum(body: string): string {
  return bytesToHex(sha256(utf8ToBytes(`${MARK}.${body}`))).slice(0, 8);
}
