/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.cli;

import io.phasewise.lab.progress.Screen;
import io.phasewise.lab.receiver.Notification;
import io.phasewise.lab.receiver.NotificationLines;
import io.phasewise.lab.receiver.ReceiverAccess;
import io.phasewise.lab.receiver.ReceiverServer;
import io.phasewise.lab.stack.LaunchException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code receiver}: runs the notification receiver in the foreground. */
@Command(
        name = "receiver",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = {
            "Run the notification receiver alone, until Ctrl-C (up starts one as well).",
            "Takes Alertmanager's webhook calls on /, prints each, and shows the last "
                    + ReceiverServer.CAPACITY
                    + " on / and /notifications (JSON)."
        })
final class ReceiverCommand implements Callable<Integer> {

    private final Context context;

    @Spec private CommandSpec spec;

    @Option(
            names = "--host",
            defaultValue = "127.0.0.1",
            description = "Address to listen on; ${DEFAULT-VALUE} unless said.")
    private String host;

    @Option(
            names = "--port",
            defaultValue = "9095",
            description = "Port to listen on, 0 for any free one; ${DEFAULT-VALUE} unless said.")
    private int port;

    @Option(
            names = "--tls",
            paramLabel = "FILE",
            description =
                    "Certificates and key in PEM: serve https. With --user and --password-file.")
    private Path tls;

    @Option(
            names = "--user",
            paramLabel = "NAME",
            description = "Who may read and notify; nobody is asked unless said.")
    private String user;

    @Option(
            names = "--password-file",
            paramLabel = "FILE",
            description = "Holds that user's password.")
    private Path passwordFile;

    @Option(
            names = "--runbooks",
            paramLabel = "DIRECTORY",
            description = "Show the pages in it at /runbooks/NAME.md.")
    private Path runbooks;

    ReceiverCommand(Context context) {
        this.context = context;
    }

    @Override
    public Integer call() throws LaunchException, InterruptedException {
        if (port < 0 || port > 65535) {
            throw new ParameterException(
                    spec.commandLine(), "--port: must be from 0 to 65535, was " + port);
        }
        if (runbooks != null && !Files.isDirectory(runbooks)) {
            throw new ParameterException(
                    spec.commandLine(), "--runbooks: '" + runbooks + "' is not a directory");
        }
        InetSocketAddress address = new InetSocketAddress(host, port);
        if (address.isUnresolved()) {
            throw new ParameterException(
                    spec.commandLine(), "--host: '" + host + "' is not an address of this machine");
        }
        // The JDK's server reads slow requests for as long as they come unless told otherwise.
        System.setProperty("sun.net.httpserver.nodelay", "true");
        System.setProperty("sun.net.httpserver.maxReqTime", "10");
        System.setProperty("sun.net.httpserver.maxRspTime", "10");
        System.setProperty("jdk.httpserver.maxConnections", "100");
        Screen screen = context.screen();
        NotificationLines lines = new NotificationLines(screen.terminal(), context.zone());
        Optional<ReceiverAccess> access = access();
        Consumer<Notification> listener =
                notification -> lines.of(notification).forEach(screen::print);
        try (ReceiverServer server =
                access.isEmpty()
                        ? ReceiverServer.start(address, context.clock(), listener)
                        : ReceiverServer.start(address, access.get(), context.clock(), listener)) {
            if (runbooks != null) {
                server.showRunbooks(runbooks);
            }
            String scheme = access.isEmpty() ? "http" : "https";
            screen.print(
                    "Waiting for notifications on " + scheme + "://" + host + ":" + server.port());
            new CountDownLatch(1).await();
            return ExitCode.DONE;
        } catch (InterruptedException asked) {
            return ExitCode.DONE;
        } catch (IOException taken) {
            throw LaunchException.failed(
                    "cannot listen on " + host + ":" + port + ": " + taken.getMessage(), taken);
        }
    }

    private Optional<ReceiverAccess> access() {
        if (tls == null && user == null && passwordFile == null) {
            return Optional.empty();
        }
        if (tls == null || user == null || passwordFile == null) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--tls, --user, --password-file: all three or none are allowed");
        }
        try {
            return Optional.of(ReceiverAccess.of(tls, user, passwordFile));
        } catch (IOException unusable) {
            throw new ParameterException(spec.commandLine(), unusable.getMessage());
        }
    }
}
