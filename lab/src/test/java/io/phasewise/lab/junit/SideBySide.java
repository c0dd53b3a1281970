/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.junit;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.function.Executable;

/**
 * Runs several cases of one class at once, each as a test of its own in the report. The cases must
 * not disturb each other, and wait most of the time. JUnit's own threads are few, and shared by all
 * classes.
 */
public final class SideBySide {
    private final List<String> names = new ArrayList<>();
    private final List<Executable> cases = new ArrayList<>();

    /** Adds a case; cases begin in this order. */
    public SideBySide with(String name, Executable oneCase) {
        names.add(name);
        cases.add(oneCase);
        return this;
    }

    /**
     * Runs all cases; returns when all have ended.
     *
     * @param atOnce how many may run at the same time
     */
    public Stream<DynamicTest> run(int atOnce) {
        ExecutorService threads = Executors.newFixedThreadPool(atOnce);
        List<DynamicTest> tests = new ArrayList<>();
        for (int i = 0; i < cases.size(); i++) {
            Executable oneCase = cases.get(i);
            Future<?> result = threads.submit(() -> {
                try {
                    oneCase.execute();
                } catch (Exception | Error e) {
                    throw e;
                } catch (Throwable e) {
                    throw new IllegalStateException(e);
                }
                return null;
            });
            tests.add(DynamicTest.dynamicTest(names.get(i), () -> await(result)));
        }
        threads.shutdown();
        return tests.stream();
    }

    private static void await(Future<?> result) throws Throwable {
        try {
            result.get();
        } catch (ExecutionException e) {
            throw e.getCause();
        }
    }
}
