#!/usr/bin/env node
process.stderr.write('coinlab: the program is not written yet\n');
process.exitCode = 1;
