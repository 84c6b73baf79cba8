// The client of the TypeScript SDK lists and calls a server over stdio; prints what it found as one line of JSON.
// Arguments: the folder node_modules, the era (legacy or modern), the command that starts the server.
import { createRequire } from "node:module";

const [folder, era, command, ...args] = process.argv.slice(2);
const require = createRequire(`${folder}/`);
const { Client } = require("@modelcontextprotocol/client");
const { StdioClientTransport } = require("@modelcontextprotocol/client/stdio");

const mode = era === "legacy" ? "legacy" : { pin: "2026-07-28" };
const client = new Client({ name: "typescript", version: "1" }, { versionNegotiation: { mode } });
await client.connect(new StdioClientTransport({ command, args }));
const { tools } = await client.listTools();
const answers = [
  await client.callTool({ name: "list_plugins", arguments: {} }),
  await client.callTool({ name: "pr_comment_list", arguments: { repository: "../..", pull_request_number: 1 } }),
];
const said = answers.map((answer) => answer.content[0].text);
console.log(JSON.stringify({ tools: tools.map((tool) => tool.name), said }));
await client.close();
