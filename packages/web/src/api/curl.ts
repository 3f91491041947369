import { pathAt, type Call } from './call.js';

/** Without `token` the command reads it from the variable TOKEN. */
export function curlOf(call: Call, base: string, { moment = null, token }: CurlOptions = {}): string {
  const url = new URL(pathAt(call.path, moment), base).href;
  const hasBody = call.body !== undefined;
  const parts = [
    'curl',
    ...(call.method === (hasBody ? 'POST' : 'GET') ? [] : [`-X ${call.method}`]),
    ...(call.token === null
      ? []
      : [`-H ${token === undefined ? '"Authorization: Bearer $TOKEN"' : quoted(`Authorization: Bearer ${token}`)}`]),
    quoted(url),
    ...(hasBody ? [`--json ${quoted(JSON.stringify(call.body))}`] : []),
  ];
  return parts.join(' \\\n  ');
}

interface CurlOptions {
  readonly moment?: number | null;
  readonly token?: string;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
