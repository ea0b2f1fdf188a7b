#include <cstdio>
int main() { std::puts("touchstone"); }
