// SPDX-License-Identifier: BSL-1.0
#include <wf/adapt/wfformat/validate.hpp>

#include <algorithm>
#include <functional>
#include <set>
#include <string>

#include <doctest/doctest.h>

#include <wf/adapt/wfformat/reader.hpp>

#include "random_instance.hpp"
#include "small_file.hpp"

namespace {

using wf::wfformat::instance;

instance small() { return *wf::wfformat::parse(wf_test::small_file); }

// The field and the sentence that a change of the small file earns.
std::string told(const std::function<void(instance&)>& change) {
  instance all = small();
  change(all);
  const auto valid = wf::wfformat::validate(all);
  if (valid) return "fine";
  CHECK(valid.error().code == wf::errc::bad_workflow_file);
  return std::string(valid.error().message.view());
}

}  // namespace

TEST_CASE("the small file is valid, with and without its record") {
  CHECK(told([](instance&) {}) == "fine");
  CHECK(told([](instance& i) { i.workflow.execution.reset(); }) == "fine");
}

TEST_CASE("contradictions are named with their field") {
  const auto tasks = [](instance& i) -> auto& { return i.workflow.specification.tasks; };
  const auto files = [](instance& i) -> auto& { return i.workflow.specification.files; };
  const auto runs = [](instance& i) -> auto& { return i.workflow.execution->tasks; };
  CHECK(told([&](instance& i) { tasks(i)[2].id = "b"; }) ==
        "workflow.specification.tasks[2].id: there are two tasks 'b'");
  CHECK(told([&](instance& i) { files(i)[2].id = "p"; }) ==
        "workflow.specification.files[2].id: there are two files 'p'");
  CHECK(told([&](instance& i) { i.workflow.execution->machines[1].node_name = "m1"; }) ==
        "workflow.execution.machines[1].nodeName: there are two machines 'm1'");
  CHECK(told([&](instance& i) { tasks(i)[0].children[1] = "z"; }) ==
        "workflow.specification.tasks[0].children[1]: there is no task 'z'");
  CHECK(told([&](instance& i) { files(i)[4].id = "t"; }) ==
        "workflow.specification.tasks[2].outputFiles[0]: there is no file 's'");
  CHECK(told([&](instance& i) { tasks(i)[3].input_files[1] = "r"; }) ==
        "workflow.specification.tasks[3].inputFiles[1]: the file 'r' is listed twice");
  CHECK(told([&](instance& i) { tasks(i)[3].parents[1] = "b"; }) ==
        "workflow.specification.tasks[3].parents[1]: the task 'b' is listed twice");
  CHECK(told([&](instance& i) { tasks(i)[3].output_files.push_back("r"); }) ==
        "workflow.specification.tasks[3].outputFiles[1]: the file 'r' is also written by 'b'");
  CHECK(told([&](instance& i) { tasks(i)[3].parents.pop_back(); }) ==
        "workflow.specification.tasks[2].children[0]: the task 'd' does not list 'c' among its "
        "parents");
  CHECK(told([&](instance& i) { tasks(i)[0].children.pop_back(); }) ==
        "workflow.specification.tasks[2].parents[0]: the task 'a_ID01' does not list 'c' among "
        "its children");
  CHECK(told([&](instance& i) { runs(i)[1].id = "z"; }) ==
        "workflow.execution.tasks[1].id: there is no task 'z'");
  CHECK(told([&](instance& i) { runs(i)[1].id = "c"; }) ==
        "workflow.execution.tasks[2].id: the task 'c' is recorded twice");
  CHECK(told([&](instance& i) { runs(i)[2].machines[0] = "m3"; }) ==
        "workflow.execution.tasks[2].machines[0]: there is no machine 'm3'");
  // Without a list of machines, their names are free.
  CHECK(told([&](instance& i) { i.workflow.execution->machines.clear(); }) == "fine");
}

TEST_CASE("a cycle is named, by parents as by files") {
  const auto parents = told([](instance& i) {
    auto& tasks = i.workflow.specification.tasks;
    tasks[0].parents.push_back("d");
    tasks[3].children.push_back("a_ID01");
  });
  CHECK(parents ==
        "workflow.specification.tasks[0].parents: tasks wait for each other: 'a_ID01' -> 'c' -> "
        "'d' -> 'a_ID01'");
  const auto files =
      told([](instance& i) { i.workflow.specification.tasks[0].input_files.push_back("out:1"); });
  CHECK(files == parents);
  const auto itself = told([](instance& i) {
    auto& task = i.workflow.specification.tasks[1];
    task.parents.push_back("b");
    task.children.push_back("b");
  });
  CHECK(itself == "workflow.specification.tasks[1].parents: tasks wait for each other: 'b' -> 'b'");
  // A task may read what it writes itself.
  CHECK(told([](instance& i) { i.workflow.specification.tasks[1].input_files.push_back("r"); }) ==
        "fine");
}

TEST_CASE("a fault in a long chain behind a cycle is found, too") {
  instance all;
  all.name = "chain";
  auto& tasks = all.workflow.specification.tasks;
  tasks.resize(20000);
  for (std::size_t t = 0; t < tasks.size(); ++t) tasks[t].name = tasks[t].id = wf::text("t") << t;
  const auto connect = [&](std::size_t from, std::size_t to) {
    tasks[from].children.push_back(tasks[to].id);
    tasks[to].parents.push_back(tasks[from].id);
  };
  for (std::size_t t = 1; t < tasks.size(); ++t) connect(tasks.size() - t, tasks.size() - t - 1);
  CHECK(wf::wfformat::validate(all));
  connect(17, 19);
  const auto valid = wf::wfformat::validate(all);
  REQUIRE_FALSE(valid);
  CHECK(std::string(valid.error().message.view())
            .ends_with("wait for each other: 't17' -> 't19' "
                       "-> 't18' -> 't17'"));
}

TEST_CASE("random changes of ids are refused exactly if a naive check finds a fault") {
  wf_test::random_source random(20261128);
  int refused = 0;
  for (int i = 0; i < 600; ++i) {
    CAPTURE(i);
    instance all = wf_test::random_instance(random);
    auto& tasks = all.workflow.specification.tasks;
    auto& task = tasks[random() % tasks.size()];
    const auto other = tasks[random() % tasks.size()].id;
    switch (random() % 6) {
      case 0:
        task.parents.push_back(other);
        break;
      case 1:
        if (!task.children.empty()) task.children[random() % task.children.size()] = other;
        break;
      case 2:
        if (!task.parents.empty()) task.parents.pop_back();
        break;
      case 3:
        task.id = other;
        break;
      case 4: {
        auto& files = all.workflow.specification.files;
        if (!files.empty()) task.output_files.push_back(files[random() % files.size()].id);
        break;
      }
      default:
        break;
    }
    // Naive: sets of pairs, and removal of tasks that wait for nobody until none is left.
    std::set<std::string> ids, lists, written;
    std::set<std::pair<std::string, std::string>> up, down, waits;
    bool fault = false;
    const auto name = [](const wf::wfformat::string& s) { return std::string(s.view()); };
    for (const auto& t : tasks) {
      fault = fault || !ids.insert(name(t.id)).second;
      for (const auto& p : t.parents) fault = fault || !up.insert({name(p), name(t.id)}).second;
      for (const auto& c : t.children) fault = fault || !down.insert({name(t.id), name(c)}).second;
      for (const auto& f : t.output_files) fault = fault || !written.insert(name(f)).second;
    }
    fault = fault || up != down;
    waits = up;
    for (const auto& t : tasks)
      for (const auto& f : t.output_files)
        for (const auto& reader : tasks)
          for (const auto& g : reader.input_files)
            if (f == g && !(reader.id == t.id)) waits.insert({name(t.id), name(reader.id)});
    for (bool again = true; again;) {
      again = false;
      for (auto at = ids.begin(); at != ids.end();) {
        const bool free = std::none_of(waits.begin(), waits.end(), [&](const auto& w) {
          return w.second == *at && ids.contains(w.first);
        });
        at = free ? ids.erase(at) : std::next(at);
        again = again || free;
      }
    }
    fault = fault || !ids.empty();
    CHECK(wf::wfformat::validate(all).has_value() == !fault);
    refused += fault ? 1 : 0;
  }
  CHECK(refused > 200);
  CHECK(refused < 500);
}
