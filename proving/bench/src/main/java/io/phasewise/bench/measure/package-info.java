/** What benchmarks share: how they run, what they read, and how sure a result is. */
package io.phasewise.bench.measure;
