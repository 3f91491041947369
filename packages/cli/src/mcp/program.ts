import type { Command } from 'commander';
import { EXIT_CODES } from '../program-parts.js';
import type { Rights, Run } from './tool.js';

const MCP_EXAMPLES = `
The program speaks the Model Context Protocol on stdin and stdout until stdin ends. Enter it in the settings of your agent, not in a terminal.

Example of such a setting:
  { "mcpServers": { "coinlab": { "command": "npx", "args": ["coinlab", "mcp"] } } }
${EXIT_CODES}`;

export function addMcp(program: Command, run: Run): void {
  program
    .command('mcp')
    .description('serve a test network and simulations to an agent (Model Context Protocol)')
    .option('--allow-policy-files', 'let the agent run policy files, which are programs', false)
    .addHelpText('after', MCP_EXAMPLES)
    .action(async (rights: Rights) => (await import('./mcp-command.js')).mcpCommand(run, rights));
}
