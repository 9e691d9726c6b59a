// simdjson's DOM over one file, the bytes being in memory: parse FILE. Prints the median of five.
#include <simdjson.h>
#include <algorithm>
#include <chrono>
#include <cstdio>
using namespace simdjson;

int main(int, char **arguments) {
    padded_string bytes = padded_string::load(arguments[1]);
    double times[5];
    for (double &time : times) {
        auto started = std::chrono::steady_clock::now();
        dom::parser parser;
        dom::element root;
        if (parser.parse(bytes).get(root)) return 1;
        time = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    }
    std::sort(times, times + 5);
    printf("parse %.6f s\n", times[2]);
}
