// Makes web/dist/viewer.html: one page with its script and style inside, which asks for nothing from anywhere.
// The licences of the libraries stand at the head of the script.
import { build } from "esbuild";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const place = "<!--touchstone:data-->";

function licence(name, shown) {
  const folder = join(here, "node_modules", name);
  const version = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")).version;
  return `${shown} ${version}\n\n${readFileSync(join(folder, "LICENSE"), "utf8").trim()}\n`;
}

const result = await build({
  entryPoints: [join(here, "src", "main.ts")],
  bundle: true,
  minify: true,
  format: "iife",
  target: ["es2022"],
  charset: "utf8",
  loader: { ".css": "css" },
  legalComments: "none",
  banner: { js: `/*!\n${licence("three", "three.js")}\n${licence("uplot", "uPlot")}*/` },
  outdir: join(here, "dist"),
  write: false,
  logLevel: "warning",
});

const text = (ending) => result.outputFiles.find((file) => file.path.endsWith(ending))?.text ?? "";
// "</script" and "<!--" would end or confuse a script that stands inside a page.
const script = text(".js").replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");
const style = text(".css").replaceAll("</style", "<\\/style");
const page = readFileSync(join(here, "src", "page.html"), "utf8")
  .replace("/*style*/", () => style)
  .replace("/*script*/", () => script);
if (page.split(place).length !== 2) throw new Error(`${place} must stand in the page exactly once`);
mkdirSync(join(here, "dist"), { recursive: true });
writeFileSync(join(here, "dist", "viewer.html"), page);
console.log(`web/dist/viewer.html: ${(page.length / 1024).toFixed(0)} KiB`);
