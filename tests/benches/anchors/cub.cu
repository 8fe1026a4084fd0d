// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The same tasks as `boxwood_bench measure --what spatial`, by CUB and Thrust.
//
//     nvcc -O3 -arch=sm_90 -std=c++17 --extended-lambda -o cub cub.cu && ./cub MIN MAX > cub.csv
//
// MIN and MAX are logarithms to base 2 of the sizes. Sort, scan, and selection are compared with a
// sequential result up to 2^20 items, and the search with binary searches on the CPU.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <vector>

#include <cub/cub.cuh>
#include <thrust/binary_search.h>
#include <thrust/device_ptr.h>
#include <thrust/execution_policy.h>
#include <thrust/iterator/counting_iterator.h>

#include "measure.cuh"

namespace {

constexpr size_t MAX_QUERIES = size_t{1} << 20;
// Larger results are not compared: the sequential ones would take longer than all measurements.
constexpr size_t MAX_CHECKED = size_t{1} << 20;

// A pseudorandom word for an index: the finalizer of MurmurHash3.
uint32_t word(uint32_t i) {
    uint32_t x = i * 0x9e3779b9u + 1u;
    x = (x ^ (x >> 16)) * 0x85ebca6bu;
    x = (x ^ (x >> 13)) * 0xc2b2ae35u;
    return x ^ (x >> 16);
}

struct Overlaps {
    float x0, y0, x1, y1;
    __device__ bool operator()(const float4& b) const { return b.x < x1 && b.z > x0 && b.y < y1 && b.w > y0; }
};

struct PairLess {
    __host__ __device__ bool operator()(uint32_t a, uint32_t b) const { return a < b; }
};

void sort(size_t n) {
    std::vector<uint32_t> keys(n), values(n);
    for (size_t i = 0; i < n; i++) keys[i] = word(i);
    std::iota(values.begin(), values.end(), 0u);
    uint32_t *in = uploaded(keys), *index = uploaded(values), *out = allocated<uint32_t>(n), *order = allocated<uint32_t>(n);
    auto is_right = [&](int bits) {
        const uint32_t mask = bits == 32 ? ~0u : (1u << bits) - 1;
        std::vector<uint32_t> expected = values;
        std::stable_sort(expected.begin(), expected.end(),
                         [&](uint32_t a, uint32_t b) { return (keys[a] & mask) < (keys[b] & mask); });
        return downloaded(order, n) == expected;
    };
    for (int bits : {32, 24}) {
        auto call = with_storage([=](void* storage, size_t& size) {
            return cub::DeviceRadixSort::SortPairs(storage, size, in, out, index, order, int(n), 0, bits);
        });
        char family[16];
        std::snprintf(family, sizeof family, "%d bits", bits);
        measure("sort", n, family, "cub_radix", call,
                n <= MAX_CHECKED ? std::function<bool()>([=] { return is_right(bits); }) : nullptr);
    }
    auto call = with_storage([=](void* storage, size_t& size) {
        return cub::DeviceMergeSort::SortPairsCopy(storage, size, in, index, out, order, int(n), PairLess{});
    });
    measure("sort", n, "32 bits", "cub_merge", call,
            n <= MAX_CHECKED ? std::function<bool()>([=] { return is_right(32); }) : nullptr);
    for (uint32_t* p : {in, index, out, order}) cudaFree(p);
}

void select(size_t n) {
    std::vector<uint8_t> flags(n);
    std::vector<float4> boxes(n);
    std::vector<uint32_t> kept;
    for (size_t i = 0; i < n; i++) {
        flags[i] = word(i) & 1;
        if (flags[i]) kept.push_back(i);
        const float x = word(2 * i) % 4096, y = word(2 * i + 1) % 4096;
        boxes[i] = make_float4(x, y, x + 1 + word(i) % 16, y + 1 + word(i + 7) % 16);
    }
    uint8_t* flag = uploaded(flags);
    uint32_t *out = allocated<uint32_t>(n), *count = allocated<uint32_t>(1);
    auto flagged = with_storage([=](void* storage, size_t& size) {
        return cub::DeviceSelect::Flagged(storage, size, thrust::counting_iterator<uint32_t>(0), flag, out, count, int(n));
    });
    measure("select", n, "mask", "cub", flagged, [&] {
        return downloaded(count, 1)[0] == kept.size() && downloaded(out, kept.size()) == kept;
    });
    float4 *box = uploaded(boxes), *kept_boxes = allocated<float4>(n);
    const Overlaps half{0, 0, 3e38f, 2048};
    auto selected = with_storage([=](void* storage, size_t& size) {
        return cub::DeviceSelect::If(storage, size, box, kept_boxes, count, int(n), half);
    });
    measure("select", n, "rectangle", "cub", selected, [&] {
        const size_t expected = std::count_if(boxes.begin(), boxes.end(), [](const float4& b) { return b.y < 2048; });
        return downloaded(count, 1)[0] == expected;
    });
    uint32_t* sums = allocated<uint32_t>(n);
    std::vector<uint32_t> counts(n);
    for (size_t i = 0; i < n; i++) counts[i] = word(i) & 7;
    uint32_t* in = uploaded(counts);
    auto scanned = with_storage([=](void* storage, size_t& size) {
        return cub::DeviceScan::ExclusiveSum(storage, size, in, sums, int(n));
    });
    measure("scan", n, "random", "cub", scanned, [&] {
        std::vector<uint32_t> expected(n);
        std::exclusive_scan(counts.begin(), counts.end(), expected.begin(), 0u);
        return downloaded(sums, n) == expected;
    });
    measure("copy", n, "", "cuda_memcpy", [=] {
        require(cudaMemcpyAsync(sums, in, n * sizeof(uint32_t), cudaMemcpyDeviceToDevice));
    }, nullptr);
    for (void* p : {(void*)flag, (void*)out, (void*)count, (void*)box, (void*)kept_boxes, (void*)sums, (void*)in}) cudaFree(p);
}

void search(size_t n) {
    std::vector<uint32_t> keys(n), queries(std::min(n, MAX_QUERIES));
    for (size_t i = 0; i < n; i++) keys[i] = word(i);
    std::sort(keys.begin(), keys.end());
    for (size_t i = 0; i < queries.size(); i++) queries[i] = word(i + 0x1234567u);
    uint32_t *key = uploaded(keys), *query = uploaded(queries), *out = allocated<uint32_t>(queries.size());
    measure("search", n, "many", "thrust", [=, m = queries.size()] {
        thrust::lower_bound(thrust::cuda::par_nosync, thrust::device_pointer_cast(key), thrust::device_pointer_cast(key) + n,
                            thrust::device_pointer_cast(query), thrust::device_pointer_cast(query) + m,
                            thrust::device_pointer_cast(out));
    }, [&] {
        const auto found = downloaded(out, queries.size());
        for (size_t i = 0; i < found.size(); i++) {
            if (found[i] != std::lower_bound(keys.begin(), keys.end(), queries[i]) - keys.begin()) return false;
        }
        return true;
    });
    for (uint32_t* p : {key, query, out}) cudaFree(p);
}

}  // namespace

int main(int n_arguments, char** arguments) {
    if (n_arguments != 3) {
        std::fprintf(stderr, "usage: cub MIN MAX (logarithms to base 2 of the sizes)\n");
        return 2;
    }
    print_header();
    for (int k = std::atoi(arguments[1]); k <= std::atoi(arguments[2]); k++) {
        const size_t n = size_t{1} << k;
        sort(n);
        select(n);
        search(n);
    }
}
