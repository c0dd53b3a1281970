/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.jmx;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * Finds the rules that fail with the beans that there are now, so that the others can be used; how
 * beans are read is left to the caller. The JMX exporter's collector does not say which rule failed,
 * and one that does takes all metrics with it. Used by one thread at a time.
 */
final class LostRules {

    /** A search reads beans some eight times for each rule that fails. */
    private static final Duration BETWEEN_SEARCHES = Duration.ofMinutes(1);

    /** After which a lost rule is tried again: what it failed by may be gone. */
    private static final Duration RETRY = Duration.ofMinutes(10);

    /** Of rules that one search finds; with more the file is as good as useless. */
    private static final int MOST = 8;

    private final RuleFile rules;
    private final LongSupplier nanoClock;
    private final Consumer<String> errorLog;
    private final Consumer<String> infoLog;
    private Set<Integer> lost = Set.of();
    private Set<Integer> told = Set.of();
    private long foundAt;
    private boolean searched;
    private long searchedAt;

    /**
     * @param rules all of them
     * @param nanoClock monotonic nanoseconds
     * @param errorLog takes a line for each rule that begins to fail
     * @param infoLog takes a line for each that no longer does
     */
    LostRules(RuleFile rules, LongSupplier nanoClock, Consumer<String> errorLog, Consumer<String> infoLog) {
        this.rules = rules;
        this.nanoClock = nanoClock;
        this.errorLog = errorLog;
        this.infoLog = infoLog;
    }

    /** Indexes of the rules to do without. */
    Set<Integer> now() {
        return lost;
    }

    /** Forgets which rules failed, if that is long enough ago: the caller then tries all of them. */
    void retry() {
        if (!lost.isEmpty() && nanoClock.getAsLong() - foundAt >= RETRY.toNanos()) {
            lost = Set.of();
            searched = false;
        }
    }

    /**
     * Reading failed: looks which rules to do without.
     *
     * @param failure why reading without the rules of those indexes fails; empty where it does not
     * @return whether there is something to do without now that there was not before
     */
    boolean search(Function<Set<Integer>, Optional<String>> failure) {
        long now = nanoClock.getAsLong();
        if (searched && now - searchedAt < BETWEEN_SEARCHES.toNanos()) {
            return false;
        }
        searched = true;
        searchedAt = now;
        Set<Integer> found = new TreeSet<>(lost);
        Optional<String> why = failure.apply(found);
        if (why.isEmpty() || failure.apply(from(0, found)).isPresent()) {
            return false; // it has passed, or it is no rule's fault
        }
        List<String> lines = new ArrayList<>();
        while (why.isPresent()) {
            if (found.size() >= MOST) {
                return false;
            }
            int culprit = first(found, failure);
            found.add(culprit);
            if (!told.contains(culprit)) {
                errorLog.accept(
                        "jmx.rules: " + rules.rule(culprit) + " fails, so that its metrics are missing: " + why.get());
            }
            why = failure.apply(found);
        }
        lines.forEach(errorLog);
        lost = found;
        foundAt = now;
        return true;
    }

    /** The first rule that makes reading fail where all rules after it make no metric. */
    private int first(Set<Integer> without, Function<Set<Integer>, Optional<String>> failure) {
        int passes = 0;
        int fails = rules.size();
        while (fails - passes > 1) {
            int middle = (passes + fails) / 2;
            if (failure.apply(from(middle, without)).isPresent()) {
                fails = middle;
            } else {
                passes = middle;
            }
        }
        return fails - 1;
    }

    private Set<Integer> from(int first, Set<Integer> and) {
        Set<Integer> all = new TreeSet<>(and);
        for (int index = first; index < rules.size(); index++) {
            all.add(index);
        }
        return all;
    }

    /** Beans were read without the lost rules. */
    void succeeded() {
        for (int index : told) {
            if (!lost.contains(index)) {
                infoLog.accept("jmx.rules: " + rules.rule(index) + " no longer fails");
            }
        }
        told = lost;
    }
}
