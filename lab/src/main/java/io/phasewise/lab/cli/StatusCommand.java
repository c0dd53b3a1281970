/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.cli;

import io.phasewise.common.cli.StackOption;
import io.phasewise.common.progress.Screen;
import io.phasewise.lab.stack.Context;
import io.phasewise.lab.stack.HealthCheck;
import io.phasewise.lab.stack.RunningComponent;
import io.phasewise.lab.stack.StackState;
import io.phasewise.lab.stack.StateDirectory;
import io.phasewise.lab.stack.StatusReport;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code status}: shows the components and whether each is healthy. */
@Command(name = "status")
final class StatusCommand implements Callable<Integer> {

    private static final int SOMETHING_IS_DOWN = 1;
    private static final int NOTHING_RUNS = 3;

    private final Context context;

    @Mixin
    private StackOption stack;

    @Option(names = "--json")
    private boolean json;

    StatusCommand(Context context) {
        this.context = context;
    }

    @Override
    public Integer call() throws IOException {
        StateDirectory directory = context.stateDirectory(stack);
        Screen screen = context.screen();
        List<RunningComponent> components =
                directory.read().map(StackState::components).orElse(List.of());
        StatusReport report = new StatusReport(components, new HealthCheck(context.client()).of(components));
        if (json) {
            screen.print(report.json());
        } else if (components.isEmpty()) {
            screen.print("Nothing is running in " + directory.path());
        } else {
            report.table(screen.terminal(), context.zone()).forEach(screen::print);
        }
        if (components.isEmpty()) {
            return NOTHING_RUNS;
        }
        return report.isHealthy() ? 0 : SOMETHING_IS_DOWN;
    }
}
