export default { files: ['test/**/*.mjs'] };
