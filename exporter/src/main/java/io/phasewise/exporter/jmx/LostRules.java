/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.jmx;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * Finds the rules that fail with the beans that there are now, so that the others can be used; how
 * beans are read is left to the caller. The JMX exporter's collector does not say which rule
 * failed, and one rule that fails loses all metrics. Used by one thread at a time.
 */
final class LostRules {

    /** Pause after a search that found nothing. It doubles after each further search. */
    private static final Duration FIRST_PAUSE = Duration.ofMinutes(1);

    /** Time after which a lost rule is tried again: the cause may be gone. */
    private static final Duration RETRY = Duration.ofMinutes(10);

    /** How long one scrape waits for the search. The search goes on at the next scrape. */
    private static final Duration BUDGET = Duration.ofSeconds(2);

    /** The most rules that are left out; with more the file is as good as useless. */
    private static final int MOST_RULES = 8;

    private final RuleFile rules;
    private final LongSupplier nanoClock;
    private final Consumer<String> errorLog;
    private final Consumer<String> infoLog;

    /** The one that is tried next comes first. */
    private Set<Integer> lost = Set.of();

    /** Null, or the lost rule that the caller uses again to see whether it still fails. */
    private Integer tried;

    private long nextRetry;
    private boolean tooMany;
    private long nextSearch;
    private Duration pause = FIRST_PAUSE;

    /** Null while no search goes on, else what it found, and what to say of that. */
    private Set<Integer> found;

    private final List<String> lines = new ArrayList<>();

    /** Reading passes with this many of the first rules; below 0 while no such number is known. */
    private int passes;

    /** Reading fails with this many of the first rules; above all while no such number is known. */
    private int fails;

    /**
     * @param rules all of them
     * @param nanoClock monotonic nanoseconds
     * @param errorLog takes a line for each rule that begins to fail
     * @param infoLog takes a line for each rule that no longer fails
     */
    LostRules(RuleFile rules, LongSupplier nanoClock, Consumer<String> errorLog, Consumer<String> infoLog) {
        this.rules = rules;
        this.nanoClock = nanoClock;
        this.errorLog = errorLog;
        this.infoLog = infoLog;
        this.nextSearch = nanoClock.getAsLong();
    }

    /** Indexes of the rules to do without. */
    Set<Integer> now() {
        Set<Integer> now = new LinkedHashSet<>(lost);
        now.remove(tried);
        return now;
    }

    /** Lets the caller try a rule that failed, if that is long enough ago. */
    void retry() {
        long now = nanoClock.getAsLong();
        if (tried == null && !lost.isEmpty() && now - nextRetry >= 0) {
            tried = lost.iterator().next();
            nextSearch = now;
        }
    }

    /**
     * Reading failed: searches, for a short time, which rules have to be left out.
     *
     * @param failure why reading without the rules of those indexes fails; empty where it does not
     * @return whether more rules are left out now than before
     */
    boolean search(Function<Set<Integer>, Optional<String>> failure) {
        long start = nanoClock.getAsLong();
        if (found == null) {
            if (start - nextSearch < 0) {
                return false;
            }
            found = new LinkedHashSet<>(lost);
            lines.clear();
            passes = -1;
            fails = rules.size() + 1;
        }
        Set<Integer> before = now();
        while (found != null && nanoClock.getAsLong() - start < BUDGET.toNanos()) {
            step(failure);
        }
        return !now().equals(before);
    }

    /**
     * One reading, with some of the first rules: with all, then with none, then with half of those
     * in doubt. The last reading makes sure that the fault has not gone meanwhile.
     */
    private void step(Function<Set<Integer>, Optional<String>> failure) {
        int all = rules.size();
        boolean isLast = passes >= 0 && fails == passes + 1;
        int used = fails > all ? all : passes < 0 ? 0 : isLast ? fails : (passes + fails) / 2;
        Optional<String> why = failure.apply(withFirst(used));
        if (why.isEmpty()) {
            passes = used;
            if (used == all) {
                useFound();
            } else if (isLast) {
                foundNothing();
            }
            return;
        }
        fails = used;
        if (used == 0) {
            foundNothing(); // it is no rule's fault
        } else if (isLast) {
            blame(used - 1, why.get());
        }
    }

    private Set<Integer> withFirst(int used) {
        Set<Integer> without = new TreeSet<>(found);
        for (int index = used; index < rules.size(); index++) {
            without.add(index);
        }
        return without;
    }

    private void blame(int rule, String why) {
        if (found.contains(rule)) {
            foundNothing(); // the fault comes and goes
        } else if (found.size() == MOST_RULES) {
            if (!tooMany) {
                errorLog.accept("jmx.rules: more than " + MOST_RULES + " rules fail: no metric of any rule");
            }
            tooMany = true;
            foundNothing();
        } else {
            found.add(rule);
            lines.add("jmx.rules: " + rules.rule(rule) + " fails, so that its metrics are missing: " + why);
            fails = rules.size() + 1;
        }
    }

    private void useFound() {
        if (found.equals(lost) && tried == null) {
            foundNothing(); // it has passed
            return;
        }
        lines.forEach(errorLog);
        lost = found;
        pause = FIRST_PAUSE;
        nextRetry = nanoClock.getAsLong() + RETRY.toNanos();
        end();
    }

    private void foundNothing() {
        end();
        pause = pause.compareTo(RETRY) < 0 ? pause.multipliedBy(2) : pause;
    }

    private void end() {
        found = null;
        nextSearch = nanoClock.getAsLong() + pause.toNanos();
        if (tried != null) {
            lost.remove(tried);
            lost.add(tried);
            tried = null; // and another one is tried next
            nextRetry = nanoClock.getAsLong() + RETRY.toNanos();
        }
    }

    /** Beans were read without the lost rules. */
    void succeeded() {
        if (tried != null) {
            infoLog.accept("jmx.rules: " + rules.rule(tried) + " no longer fails");
            lost.remove(tried);
            tried = null;
        }
        if (found != null) {
            foundNothing();
        }
        tooMany = false;
    }
}
