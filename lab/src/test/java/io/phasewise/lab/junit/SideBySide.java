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
 * Cases of one class that do not disturb each other and wait most of the time: several run at once,
 * and each is a test of its own in the report. JUnit's own threads are few, and shared by all
 * classes.
 */
public final class SideBySide {
    private final List<String> names = new ArrayList<>();
    private final List<Executable> cases = new ArrayList<>();

    /** One more; they begin in this order. */
    public SideBySide with(String name, Executable oneCase) {
        names.add(name);
        cases.add(oneCase);
        return this;
    }

    /**
     * Begins, and ends when all have.
     *
     * @param atOnce how many at most
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
