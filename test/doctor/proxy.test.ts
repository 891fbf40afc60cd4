import { expect, test } from "vitest";
import { checkProxy } from "../../src/doctor/proxy.ts";

const live = "https://api.example/tembo/v1";
const proxy = "http://proxy.example:3128";

test.each<[environment: Record<string, string>, urls: readonly string[], result: string, detail: string]>([
  [{}, [live], "ok", "none"],
  [{ HTTPS_PROXY: " " }, [live], "ok", "none"],
  [{ HTTP_PROXY: proxy }, [live], "ok", "none"],
  [{ HTTPS_PROXY: proxy }, [live, live], "ok", "api.example:443 through proxy.example:3128 (HTTPS_PROXY)"],
  [{ https_proxy: proxy }, [live], "ok", "api.example:443 through proxy.example:3128 (https_proxy)"],
  [{ HTTPS_PROXY: proxy, NO_PROXY: ".example" }, [live], "ok", "api.example:443 directly (NO_PROXY)"],
  [{ HTTPS_PROXY: proxy, no_proxy: "*" }, [live], "ok", "api.example:443 directly (no_proxy)"],
  [
    { HTTP_PROXY: proxy },
    ["http://127.0.0.1:8080"],
    "ok",
    "127.0.0.1:8080 directly: this machine is never behind a proxy",
  ],
  [
    { HTTPS_PROXY: proxy, NO_PROXY: "bank.example" },
    [live, "https://bank.example"],
    "ok",
    "api.example:443 through proxy.example:3128 (HTTPS_PROXY); bank.example:443 directly (NO_PROXY)",
  ],
  [{ ALL_PROXY: proxy }, [live], "ok", "api.example:443 through proxy.example:3128 (ALL_PROXY)"],
  [{ all_proxy: proxy, HTTPS_PROXY: " " }, [live], "ok", "api.example:443 through proxy.example:3128 (all_proxy)"],
  [{ ALL_PROXY: proxy, no_proxy: "*" }, [live], "ok", "api.example:443 directly (no_proxy)"],
  [
    { ALL_PROXY: "socks5h://proxy.example:1080" },
    [live],
    "problem",
    "ALL_PROXY names a SOCKS proxy, and only http and https proxies can be used. Correct or unset it.",
  ],
  [
    { HTTPS_PROXY: "socks5://proxy.example" },
    [live],
    "problem",
    "HTTPS_PROXY names a SOCKS proxy, and only http and https proxies can be used. Correct or unset it.",
  ],
])("with %j requests to %j are %s: %s", (environment, urls, result, detail) => {
  expect(checkProxy(environment, urls)).toEqual({ check: "proxy", result, detail });
});

test("a proxy's user name and password are never shown", () => {
  const { result, detail } = checkProxy({ HTTPS_PROXY: "http://ada:hunter2%40@proxy.example:3128" }, [live]);
  expect({ result, detail }).toEqual({
    result: "ok",
    detail: "api.example:443 through proxy.example:3128 (HTTPS_PROXY, with a user name)",
  });
  const broken = checkProxy({ HTTPS_PROXY: "http://ada:hunter%@proxy.example" }, [live]);
  expect(broken.result).toBe("problem");
  expect(broken.detail).not.toMatch(/ada|hunter/);
});
