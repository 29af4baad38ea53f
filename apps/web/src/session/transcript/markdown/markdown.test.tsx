import fc from "fast-check";
import { createSignal } from "solid-js";
import { render } from "solid-js/web";
import { afterEach, describe, expect, test } from "vitest";
import { HOSTILE_TEXTS } from "@lodge/protocol/testing";
import { GrowingMarkdown, lexMarkdown } from "./lex-markdown.ts";
import { MarkdownView } from "./markdown-view.tsx";
import { plainTextOf } from "./plain-text.ts";
import { readLink } from "./safe-link.ts";

let dispose: () => void = () => undefined;
afterEach(() => dispose());
function show(text: string): HTMLElement {
  dispose();
  const host = document.body.appendChild(document.createElement("div"));
  const end = render(() => <MarkdownView text={text} />, host);
  dispose = () => {
    end();
    host.remove();
  };
  return host;
}

/** All that Markdown may become. */
const ALLOWED =
  /^(div|p|h3|h4|h5|h6|strong|em|del|br|code|pre|a|bdi|bdo|span|mark|ul|ol|li|hr|blockquote|table|thead|tbody|tr|th|td|figure|figcaption|button)$/;
const ATTRIBUTES =
  /^(class|dir|href|target|rel|referrerpolicy|data-(align|task|checked|phase)|tabindex|role|aria-(label|live)|scope|start|type)$/;

describe("what a model may say against the page", () => {
  test.each(HOSTILE_TEXTS.map((text, n) => [n, text] as const))(
    "%i is shown as text",
    (_n, text) => {
      const host = show(text);
      for (const element of host.querySelectorAll("*")) {
        expect(element.localName).toMatch(ALLOWED);
        for (const { name } of element.attributes) expect(name).toMatch(ATTRIBUTES);
      }
      for (const link of host.querySelectorAll("a")) {
        expect(link.protocol).toMatch(/^(https?|mailto):$/);
        expect(link.rel).toBe("noopener noreferrer");
        expect(link.target).toBe("_blank");
      }
    },
  );

  test("a picture is a link that says where it would come from", () => {
    const host = show("![a chart](https://example.com/x.png)");
    expect(host.querySelector("img")).toBeNull();
    expect(host.querySelector("a")?.getAttribute("href")).toBe("https://example.com/x.png");
    expect(host.textContent).toBe("Picture: a chart (example.com)");
  });

  test("a link says its real host, unless its text is that very address", () => {
    expect(show("[github.com](https://example.com/x)").textContent).toBe(
      "github.com (example.com)",
    );
    expect(show("[x](https://github.com@example.com/)").textContent).toBe("x (example.com)");
    expect(show("https://example.com/x").textContent).toBe("https://example.com/x");
    expect(show("[example.com.evil.org](https://example.com)").textContent).toBe(
      "example.com.evil.org (example.com)",
    );
  });

  test("what cannot be opened is shown with its target", () => {
    const host = show("[press](javascript:alert(1))");
    expect(host.querySelector("a")).toBeNull();
    expect(host.textContent).toContain("javascript:alert(1)");
  });

  test("letters of another alphabet show in the host", () => {
    expect(readLink("https://\u0430pple.com/")?.host).toBe("xn--pple-43d.com");
  });
});

test("blocks and marks become what they are", () => {
  const host = show(
    "# One\n\n**b** _i_ `c` ~~d~~ &mdash; x\n\n- [x] done\n- open\n\n3. three\n\n> q\n\n| a |\n| -: |\n| 1 |\n\n```ts\nlet x;\n```\n\n<b>raw</b>",
  );
  const html = [...host.querySelectorAll("h3,strong,em,code,del,li,ol,blockquote,td,pre")].map(
    (element) => element.localName,
  );
  expect(html).toEqual([
    "h3",
    "strong",
    "em",
    "code",
    "del",
    "li",
    "li",
    "ol",
    "li",
    "blockquote",
    "td",
    "pre",
    "code",
  ]);
  expect(host.querySelector("ol")?.start).toBe(3);
  expect(host.querySelector("td")?.dataset["align"]).toBe("right");
  expect(host.textContent).toContain("— x");
  expect(host.textContent).toContain("<b>raw</b>");
  expect(host.querySelector("[data-task] [role=img]")?.getAttribute("aria-label")).toBe("done");
});

describe("text that grows", () => {
  const aText = fc
    .array(
      fc.constantFrom(
        "# h\n\n",
        "para ",
        "line\n",
        "\n\n",
        "- item\n",
        "  - inner\n",
        "1. one\n",
        "```\ncode\n",
        "```\n",
        "| a | b |\n",
        "| - | - |\n",
        "> quote\n",
        "**bold** ",
        "`c` ",
        "    indented\n",
        "---\n",
        "===\n",
        "\tx\n",
        "<div>\n",
        "</div>\n\n",
      ),
      { maxLength: 30 },
    )
    .map((parts) => parts.join(""));

  test("reads at every length as it would be read at once", () => {
    fc.assert(
      fc.property(aText, fc.integer({ min: 1, max: 7 }), (text, step) => {
        const growing = new GrowingMarkdown();
        for (let end = step; end < text.length; end += step) growing.lex(text.slice(0, end));
        const whole = plainTextOf(lexMarkdown(text)).replaceAll(/\s+/g, " ").trim();
        expect(plainTextOf(growing.lex(text)).replaceAll(/\s+/g, " ").trim()).toBe(whole);
      }),
      { numRuns: 300 },
    );
  });

  test("keeps the elements of what is written already", () => {
    const [text, setText] = createSignal("First.\n\nSecond");
    const host = document.body.appendChild(document.createElement("div"));
    const end = render(() => <MarkdownView text={text()} isGrowing />, host);
    dispose = () => {
      end();
      host.remove();
    };
    const [first, second] = host.querySelectorAll("p");
    setText("First.\n\nSecond goes **on**.\n\n- and");
    expect(host.querySelectorAll("p")[0]).toBe(first);
    expect(host.querySelectorAll("p")[1]).toBe(second);
    expect(host.querySelector("strong")?.textContent).toBe("on");
    expect(host.querySelector("li")?.textContent).toBe("and");
  });
});
