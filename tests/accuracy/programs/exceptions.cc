// SPDX-License-Identifier: GPL-2.0-only
/*
 * A C++ program for tests/accuracy: what sleeps and computes while exceptions are thrown
 * through it, in destructors, handlers, comparisons that the C library calls, and threads.
 */
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

void nap()
{
	std::this_thread::sleep_for(std::chrono::microseconds(200));
}

/* Left while an exception passes: below it are frames of the unwinder. */
struct guard {
	std::string name;

	explicit guard(int depth) : name("guard at depth " + std::to_string(depth)) {}
	~guard()
	{
		nap();
	}
};

/* Of no size that is known when it is compiled. */
__attribute__((noinline)) int on_the_stack(int n)
{
	auto *room = static_cast<volatile char *>(__builtin_alloca(n * 16 + 1));

	room[n] = 1;
	nap();
	return room[n];
}

__attribute__((noinline)) int dive(int depth)
{
	guard here(depth);

	if (depth == 0)
		throw std::runtime_error("the bottom");
	return dive(depth - 1) + on_the_stack(depth);
}

int compare(const void *a, const void *b)
{
	nap();
	return *static_cast<const int *>(a) - *static_cast<const int *>(b);
}

struct shape {
	virtual ~shape() = default;
	virtual double area(int n) const = 0;
};

struct circle : shape {
	double area(int n) const override
	{
		nap();
		return 3.14 * n * n;
	}
};

void compute(std::map<std::string, int> &words)
{
	for (int i = 0; i < 2000; i++)
		words["word " + std::to_string(std::rand() % 500)]++;
}

void work()
{
	std::map<std::string, int> words;
	std::unique_ptr<shape> round = std::make_unique<circle>();
	std::function<double(int)> through = [&](int n) { return round->area(n); };

	for (;;) {
		int numbers[] = {3, 1, 2};

		try {
			dive(5);
		} catch (const std::exception &) {
			nap();
		}
		std::qsort(numbers, 3, sizeof(int), compare);
		std::vector<int> sorted(numbers, numbers + 3);
		std::sort(sorted.begin(), sorted.end(), [](int a, int b) { nap(); return a < b; });
		through(on_the_stack(7));
		compute(words);
	}
}

} // namespace

int main()
{
	std::thread one(work), two(work);

	work();
	return 0;
}
