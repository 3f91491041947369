process.stderr.write('bench: not written yet\n');
process.exitCode = 1;
