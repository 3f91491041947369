// Kills and breaks servers under load and compares their logs with the answers of their clients:
// the log in a folder by default, with --store postgres the log and the queue in a database.
const args = process.argv.slice(2);
const store = args.includes('--store') ? args[args.indexOf('--store') + 1] : 'folder';
if (store === 'postgres') await import('../test/reliability/main.ts');
else if (store === 'folder') await import(new URL('../bench/reliability.ts', import.meta.url).href);
else throw new Error(`--store: got '${store}', expected postgres or folder`);
