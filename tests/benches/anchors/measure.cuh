// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Memory, times, and rows of the programs in this folder. The columns are those of Boxwood's CSV.
// Each time is the median of 30 runs after three, by events around one call with its launches. The
// temporary storage is allocated before.

#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <vector>

constexpr int N_WARM_UP = 3;
constexpr int N_RUNS = 30;

inline void require(cudaError_t error) {
    if (error != cudaSuccess) {
        std::fprintf(stderr, "CUDA: %s\n", cudaGetErrorString(error));
        std::exit(1);
    }
}

template <typename T>
T* uploaded(const std::vector<T>& items) {
    T* device;
    require(cudaMalloc(&device, std::max<size_t>(items.size(), 1) * sizeof(T)));
    require(cudaMemcpy(device, items.data(), items.size() * sizeof(T), cudaMemcpyHostToDevice));
    return device;
}

template <typename T>
T* allocated(size_t n) {
    T* device;
    require(cudaMalloc(&device, n * sizeof(T)));
    return device;
}

template <typename T>
std::vector<T> downloaded(const T* device, size_t n) {
    std::vector<T> items(n);
    require(cudaMemcpy(items.data(), device, n * sizeof(T), cudaMemcpyDeviceToHost));
    return items;
}

inline void print_header() {
    std::printf("what,n,family,variant,median_s,min_s,max_s,per_s,ratio_to_copy,runs,check,adapter,device,date\n");
}

// Measures `call` and prints a row. `check` returns whether the result is right.
inline void measure(const char* what, size_t n, const char* family, const char* variant,
                    const std::function<void()>& call, const std::function<bool()>& check) {
    cudaEvent_t start, end;
    require(cudaEventCreate(&start));
    require(cudaEventCreate(&end));
    std::vector<float> times;
    for (int run = 0; run < N_WARM_UP + N_RUNS; run++) {
        require(cudaEventRecord(start));
        call();
        require(cudaEventRecord(end));
        require(cudaEventSynchronize(end));
        float ms;
        require(cudaEventElapsedTime(&ms, start, end));
        if (run >= N_WARM_UP) times.push_back(ms * 1e-3f);
    }
    std::sort(times.begin(), times.end());
    const float median = (times[N_RUNS / 2 - 1] + times[N_RUNS / 2]) / 2;
    const char* checked = !check ? "n/a" : check() ? "checked" : "wrong";
    std::printf("%s,%zu,%s,%s,%e,%e,%e,%e,n/a,%d,%s,CUDA,discrete,\n", what, n, family, variant, median, times.front(),
                times.back(), n / median, N_RUNS, checked);
    std::fflush(stdout);
    require(cudaEventDestroy(start));
    require(cudaEventDestroy(end));
}

// A call of CUB with temporary storage of the size that it asks for. The storage lives as long as
// the call.
template <typename F>
std::function<void()> with_storage(F call) {
    size_t size = 0;
    require(call(nullptr, size));
    const std::shared_ptr<void> storage(allocated<char>(std::max<size_t>(size, 1)), cudaFree);
    return [=]() mutable { require(call(storage.get(), size)); };
}
