import { codec, type Update } from '@coinlab/core';
import { BadInput, messageOf } from '../exit-code.js';

export interface LogSource {
  read(take: (update: Update, line: string) => void): Promise<string>;
}

export function serverSource(url: string, token: string | null): LogSource {
  return {
    async read(take) {
      const answer = await requested(url, token);
      if (answer.status !== 200) throw new BadInput(await refusal(url, answer, token));
      let offset = 0;
      for await (const line of linesOf(url, answer)) {
        offset += 1;
        const update = codec.decode(line, offset);
        if (!update.ok) throw new BadInput(`${url}: update ${offset}: ${update.error.reason}`);
        try {
          take(update.value, line);
        } catch (error) {
          throw new BadInput(`${url}: update ${offset} does not follow from those before it: ${messageOf(error)}`);
        }
      }
      return '';
    },
  };
}

async function requested(url: string, token: string | null): Promise<Response> {
  const headers: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` };
  try {
    // A redirect could send the token to another host.
    return await fetch(new URL('log', url.endsWith('/') ? url : `${url}/`), { headers, redirect: 'error' });
  } catch (error) {
    throw new BadInput(`${url}: ${causeOf(error)}`);
  }
}

async function refusal(url: string, answer: Response, token: string | null): Promise<string> {
  const said = (await answer.text()).slice(0, 500);
  if (answer.status !== 401 && answer.status !== 403) return `${url}: answered ${answer.status}: ${said}`;
  const given = token === null ? 'no token was given' : 'the token was refused';
  return `${url}: answered ${answer.status}, ${given}: set COINLAB_TOKEN or --token to a token of the operator`;
}

async function* linesOf(url: string, { body }: Response): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for await (const chunk of body ?? []) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
  } catch (error) {
    throw new BadInput(`${url}: the log ended early: ${causeOf(error)}`);
  }
  if (rest !== '') throw new BadInput(`${url}: the log ended early, within a line`);
}

function causeOf(error: unknown): string {
  return error instanceof Error && error.cause !== undefined ? messageOf(error.cause) : messageOf(error);
}
