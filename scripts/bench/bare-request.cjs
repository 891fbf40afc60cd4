// What a program of Node's can do at best: one request, and its answer to stdout.
require("node:http").get(process.argv[2], (response) => response.pipe(process.stdout));
