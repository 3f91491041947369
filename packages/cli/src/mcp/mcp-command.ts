import { once } from 'node:events';
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { version } from '../program-parts.js';
import { labTools } from './lab-tools.js';
import type { Rights, Run, Tool } from './tool.js';
import { worldTools } from './world-tools.js';
import { World } from './world.js';

/** Longer answers are cut, because agents read all of an answer. */
const MOST_CHARACTERS = 50_000;

const INSTRUCTIONS =
  'coinlab simulates the ledger of a coin network. Amounts are decimal texts with up to 10 places. Users are named alice, bob, …; a party id has ' +
  'the form name::hash. Time does not pass until advance_time. A refused command changes nothing.';

export async function mcpCommand(run: Run, rights: Rights): Promise<void> {
  const world = new World();
  const serving = serveStdio(() => serverOf([...worldTools(world), ...labTools(run, rights)]));
  await once(process.stdin, 'end');
  await serving.close();
  await world.close();
}

function serverOf(tools: readonly Tool[]): McpServer {
  const server = new McpServer({ name: 'coinlab', version: version() }, { instructions: INSTRUCTIONS });
  for (const { name, description, input, readOnly, call } of tools) {
    const about = { description, inputSchema: input, annotations: { readOnlyHint: readOnly, openWorldHint: false } };
    server.registerTool(name, about, async (given: unknown) => {
      try {
        return { content: [{ type: 'text', text: textOf(await call(given)) }] };
      } catch (error) {
        return {
          content: [{ type: 'text', text: error instanceof Error ? error.message : String(error) }],
          isError: true,
        };
      }
    });
  }
  return server;
}

function textOf(result: unknown): string {
  const text = typeof result === 'string' ? result : JSON.stringify(result, null, 1);
  if (text.length <= MOST_CHARACTERS) return text;
  return `${text.slice(0, MOST_CHARACTERS)}\n… ${text.length - MOST_CHARACTERS} more characters: ask for a smaller part`;
}
