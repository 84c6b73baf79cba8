// A host of MCP Apps on the reference library: it lists the tools, calls one, and shows its page in a sandboxed frame.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { AppBridge, PostMessageTransport, getToolUiResourceUri } from "@modelcontextprotocol/ext-apps/app-bridge";

const APPS = { "io.modelcontextprotocol/ui": { mimeTypes: ["text/html;profile=mcp-app"] } };

window.showTool = async (server, name, args, theme) => {
  const log = [];
  const client = new Client(
    { name: "host-of-the-tests", version: "1" },
    { capabilities: { extensions: APPS }, versionNegotiation: { mode: "auto" } },
  );
  await client.connect(new StreamableHTTPClientTransport(new URL(server)));
  const tool = (await client.listTools()).tools.find((one) => one.name === name);
  const uri = getToolUiResourceUri(tool);
  const { contents } = await client.readResource({ uri });
  const frame = document.createElement("iframe");
  frame.setAttribute("sandbox", "allow-scripts");
  frame.title = "view";
  frame.width = "900";
  frame.height = "900";
  document.body.append(frame);
  const bridge = new AppBridge(
    null,
    { name: "host-of-the-tests", version: "1" },
    { openLinks: {}, serverTools: {} },
    { hostContext: { theme, toolInfo: { tool }, displayMode: "inline" } },
  );
  window.calls = log;
  window.links = [];
  bridge.oncalltool = (params) => {
    log.push(params.name);
    return client.callTool(params);
  };
  bridge.onopenlink = async ({ url }) => {
    window.links.push(url);
    return {};
  };
  const ready = new Promise((resolve) => {
    bridge.oninitialized = resolve;
  });
  await bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow));
  frame.srcdoc = contents[0].text;
  await ready;
  await bridge.sendToolInput({ arguments: args });
  await bridge.sendToolResult(await client.callTool({ name, arguments: args }));
  return uri;
};
