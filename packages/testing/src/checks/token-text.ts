import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, bytesToUtf8, utf8ToBytes } from '@noble/hashes/utils.js';
import { Base64, parseJsonObject } from '@coinlab/core/codec';

export function writeToken(mark: string, settings: unknown): string {
  const text = Base64.format(utf8ToBytes(JSON.stringify(settings)));
  const body = text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  return `${mark}.${body}.${checksum(mark, body)}`;
}

export function readToken(mark: string, token: string): unknown {
  const [found, body = '', sum, ...rest] = token.trim().split('.');
  if (found !== mark || rest.length > 0 || sum !== checksum(mark, body)) return null;
  const padded = body.replaceAll('-', '+').replaceAll('_', '/') + '='.repeat((4 - (body.length % 4)) % 4);
  const bytes = Base64.parse(padded, 'token');
  return bytes.ok ? (parseJsonObject(`{"token":${bytesToUtf8(bytes.value)}}`)?.['token'] ?? null) : null;
}

function checksum(mark: string, body: string): string {
  return bytesToHex(sha256(utf8ToBytes(`${mark}.${body}`))).slice(0, 8);
}
