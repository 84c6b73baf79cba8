// Asks TypeScript's programmatic interface for what the command line prints.
const ts = require('typescript');
const path = require('path');
const parsed = ts.getParsedCommandLineOfConfigFile(process.argv[2], {}, { ...ts.sys, onUnRecoverableConfigFileDiagnostic() {} });
const program = ts.createProgram(parsed.fileNames, parsed.options);
const config = [...parsed.errors, ...program.getOptionsDiagnostics()];
const syntactic = program.getSyntacticDiagnostics(); // these hide all others
const found = syntactic.length ? syntactic : ts.getPreEmitDiagnostics(program);
const rows = [...new Set([...config, ...found])].map((one) => {
  if (!one.file) return { code: one.code };
  const { line, character } = one.file.getLineAndCharacterOfPosition(one.start);
  return { code: one.code, file: path.relative('.', one.file.fileName), line: line + 1, column: character + 1 };
});
console.log(JSON.stringify(rows));
