// Robots that are wrong: each is refused with a message that names the place and the remedy, and nothing hangs.
#include <fmt/format.h>

#include "robots/robots.h"

namespace touchstone::testing {
namespace {

void expect_words(const std::string& message, const std::vector<std::string>& words) {
  EXPECT_FALSE(message.empty()) << "it was read";
  for (const std::string& word : words) EXPECT_NE(message.find(word), std::string::npos) << word << " in: " << message;
}

std::string urdf(const std::string& inside) { return "<robot name=\"r\">\n" + inside + "</robot>"; }
std::string link(const std::string& name, const std::string& mass = "1", const std::string& moments = "1 1 1") {
  double xx = 0, yy = 0, zz = 0;
  EXPECT_EQ(std::sscanf(moments.c_str(), "%lf %lf %lf", &xx, &yy, &zz), 3);
  return fmt::format(
      "<link name=\"{}\"><inertial><mass value=\"{}\"/><inertia ixx=\"{}\" iyy=\"{}\" izz=\"{}\" ixy=\"0\" ixz=\"0\" "
      "iyz=\"0\"/></inertial></link>\n",
      name, mass, xx, yy, zz);
}
std::string joint(const std::string& name, const std::string& parent, const std::string& child,
                  const std::string& inside = "") {
  return fmt::format("<joint name=\"{}\" type=\"continuous\"><parent link=\"{}\"/><child link=\"{}\"/>{}</joint>\n",
                     name, parent, child, inside);
}
std::string mjcf(const std::string& body) {
  return "<mujoco><compiler autolimits=\"true\"/>\n<worldbody>\n" + body + "</worldbody></mujoco>";
}

TEST(RobotBadInput, WhatIsNoXmlOrNoRobot) {
  expect_words(refusal(""), {"robot.xml", "no XML element"});
  expect_words(refusal("<robot name=\"r\""), {"robot.xml", "XML"});
  expect_words(refusal("<robot name=\"r\">\n<link name=\"a\">\n</robot>"),
               {"robot.xml", "closed by the tag of another"});
  expect_words(refusal("<robot name=\"r\"></robot><robot name=\"s\"/>"), {"after the end of the root"});
  expect_words(refusal("<sdf/>"), {"robot.xml:1", "SDF"});
  expect_words(refusal("<html/>"), {"robot.xml:1", "<robot>", "<mujoco>"});
  expect_words(refusal("<robot name=\"\xff\"/>"), {"UTF-8"});
  expect_words(refusal(std::string("<robot name=\"a\"/>\0", 18)), {"zero byte"});
  expect_words(refusal("<robot/>"), {"robot.xml:1", "'name' is missing"});
  expect_words(refusal(urdf("")), {"has no links"});
  expect_words(refusal("<mujoco/>"), {"no bodies"});
  EXPECT_THROW(load_robot("/nowhere/robot.urdf"), Error);
  EXPECT_THROW(load_robot("/tmp"), Error);
}

TEST(RobotBadInput, EntitiesAreNotExpanded) {
  std::string bomb = "<!DOCTYPE b [\n<!ENTITY a0 \"aaaaaaaaaa\">\n";
  for (int i = 1; i < 20; ++i)
    bomb += fmt::format("<!ENTITY a{} \"&a{};&a{};&a{};&a{};\">\n", i, i - 1, i - 1, i - 1, i - 1);
  expect_words(refusal(bomb + "]>\n<robot name=\"&a19;\"><link name=\"l\"/></robot>"), {"robot.xml:", "entities"});
}

TEST(RobotBadInput, DeepNesting) {
  for (const int depth : {101, 10'000, 100'000}) {
    std::string text = "<mujoco><worldbody>";
    for (int i = 0; i < depth; ++i) text += "<body><joint/><geom size=\"1\"/>";
    for (int i = 0; i < depth; ++i) text += "</body>";
    expect_words(refusal(text + "</worldbody></mujoco>"), {"robot.xml", "nested deeper than 100"});
  }
  std::string open = "<mujoco>";
  for (int i = 0; i < 10'000; ++i) open += "<body>";
  expect_words(refusal(open), {"robot.xml"});
}

TEST(RobotBadInput, IncludesThatTurnInCircles) {
  const RobotFolder folder;
  const std::string a = folder.write("a.xml", "<mujoco><include file=\"b.xml\"/></mujoco>");
  folder.write("b.xml", "<mujoco>\n<include file=\"./a.xml\"/></mujoco>");
  try {
    load_robot(a);
    FAIL() << "it was read";
  } catch (const Error& e) {
    expect_words(e.what(), {"b.xml:2", "read already"});
  }
  expect_words(refusal("<mujoco>\n<include file=\"nowhere.xml\"/></mujoco>"), {"robot.xml:2", "there is no such file"});
  expect_words(refusal("<mujoco>\n<include/></mujoco>"), {"robot.xml:2", "'file' is missing"});
}

TEST(RobotBadInput, NumbersThatAreNone) {
  const auto body = [](const std::string& attribute) {
    return mjcf("<body " + attribute + "><geom size=\"1\"/></body>");
  };
  expect_words(refusal(body("pos=\"0 0\"")), {"robot.xml:3", "<body>", "pos = '0 0'", "3 numbers"});
  expect_words(refusal(body("pos=\"0 0 0 0\"")), {"3 numbers"});
  expect_words(refusal(body("pos=\"0 0 nan\"")), {"must be finite"});
  expect_words(refusal(body("pos=\"0 0 inf\"")), {"must be finite"});
  expect_words(refusal(body("pos=\"0 0 1e21\"")), {"robot.xml:3", "beyond 1e+20"});
  expect_words(refusal(body("pos=\"0 0 x\"")), {"'x'", "no number"});
  expect_words(refusal(body("pos=\"0 0 1e999\"")), {"no number"});
  expect_words(refusal(body("quat=\"0 0 0 0\"")), {"must not be zero"});
  expect_words(refusal(body("euler=\"0 0 0\" zaxis=\"0 0 1\"")), {"more than one"});
  expect_words(refusal(body("pos=\"0 0 0\" pos=\"0 0 0\"")), {"robot.xml:3"});
  expect_words(refusal(urdf(link("a", "nan"))), {"must be finite"});
  expect_words(refusal(urdf(link("a", "-1"))), {"robot.xml:2", "must not be negative", "'a'"});
}

TEST(RobotBadInput, MassesThatNoBodyHas) {
  const std::string base = "<link name=\"base\"/>\n";
  expect_words(refusal(urdf(base + link("a", "1", "1 1 5") + joint("j", "base", "a"))),
               {"robot.xml:3", "link 'a'", "the largest must be at most", "2 kg·m²"});
  expect_words(refusal(urdf(base + link("a", "1", "-1 1 1") + joint("j", "base", "a"))),
               {"robot.xml:3", "link 'a'", "negative principal moment"});
  expect_words(refusal(urdf(base + link("a", "0", "1 1 1") + joint("j", "base", "a"))),
               {"robot.xml:3", "link 'a'", "its mass is 0"});
  expect_words(refusal(urdf(base + "<link name=\"a\"/>" + joint("j", "base", "a"))),
               {"robot.xml:3", "joint 'j'", "link 'a'", "no inertia", "give the link a mass"});
  expect_words(refusal(mjcf("<body name=\"a\"><joint/></body>")), {"robot.xml:3", "'a'", "no inertia"});
  expect_words(
      refusal(mjcf("<body name=\"a\"><inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\"1 1 3\"/><joint/></body>")),
      {"robot.xml:3", "link 'a'", "at most"});
  // A massless link before a heavy one is right: its joints move the heavy one.
  EXPECT_EQ(refusal(urdf(base + "<link name=\"a\"/>" + link("b") + joint("j", "base", "a") + joint("k", "a", "b"))),
            "");
}

TEST(RobotBadInput, LoopsAndUnknownNames) {
  const std::string all = "<link name=\"base\"/>\n" + link("a") + link("b");
  expect_words(refusal(urdf(all + joint("j", "base", "a") + joint("k", "base", "b") + joint("l", "a", "b"))),
               {"robot.xml:7", "joint 'l'", "'b' is the child of joint 'k' (line 6)", "loop"});
  expect_words(refusal(urdf(all + joint("j", "a", "b") + joint("k", "b", "a"))), {"joint 'j'", "loop"});
  expect_words(refusal(urdf(link("a") + link("b") + joint("j", "a", "b") + joint("k", "b", "a"))), {"form a loop"});
  expect_words(refusal(urdf(all + joint("j", "base", "a"))), {"robot.xml:4", "'base' and 'b'", "without a parent"});
  expect_words(refusal(urdf(all + joint("j", "bas", "a"))), {"'bas' is no link", "did you mean 'base'"});
  expect_words(refusal(urdf(all + link("a"))), {"two links 'a'", "line 3"});
  expect_words(refusal(urdf(all + joint("j", "base", "a") + joint("j", "base", "b"))), {"two joints 'j'"});
  const auto with = [&](const std::string& other) {
    return urdf(all + joint("j", "base", "a", "<mimic joint=\"" + other + "\"/>") +
                joint("k", "base", "b", "<mimic joint=\"j\"/>"));
  };
  expect_words(refusal(with("j")), {"mimics itself"});
  expect_words(refusal(with("k")), {"mimics itself by way"});
  expect_words(refusal(with("x")), {"which is no joint"});
  expect_words(refusal(mjcf("<body name=\"a\" childclass=\"x\"><geom size=\"1\"/></body>")), {"no default class 'x'"});
  expect_words(refusal(mjcf("<body name=\"a\"><geom type=\"mesh\" mesh=\"x\"/></body>")),
               {"robot.xml:3", "no mesh 'x'"});
  expect_words(refusal(mjcf("<body name=\"a\"><joint name=\"j\"/><joint name=\"j\"/><geom size=\"1\"/></body>")),
               {"another joint"});
  expect_words(refusal(mjcf("<body name=\"a\"><geom size=\"1\"/></body><body name=\"a\"/>")), {"another body 'a'"});
}

TEST(RobotBadInput, LimitsAndAxes) {
  const std::string all = "<link name=\"base\"/>\n" + link("a");
  const auto revolute = [&](const std::string& inside) {
    return urdf(all + "<joint name=\"j\" type=\"revolute\"><parent link=\"base\"/><child link=\"a\"/>" + inside +
                "</joint>");
  };
  expect_words(refusal(revolute("")), {"robot.xml:4", "<limit", "continuous"});
  expect_words(refusal(revolute("<limit lower=\"1\" upper=\"0\" effort=\"1\" velocity=\"1\"/>")),
               {"lower = 1 is above upper = 0"});
  expect_words(refusal(revolute("<axis xyz=\"0 0 0\"/><limit lower=\"0\" upper=\"1\" effort=\"1\" velocity=\"1\"/>")),
               {"must not be zero"});
  expect_words(refusal(revolute("<limit effort=\"-1\" velocity=\"1\"/>")), {"must not be negative"});
  EXPECT_EQ(refusal(revolute("<limit lower=\"-1\" upper=\"1\" effort=\"inf\" velocity=\"inf\"/>")), "");
  expect_words(
      refusal(urdf(all + "<joint name=\"j\" type=\"hinge\"><parent link=\"base\"/><child link=\"a\"/></joint>")),
      {"must be revolute, continuous"});
  expect_words(refusal(mjcf("<body><joint range=\"1 0\"/><geom size=\"1\"/></body>")), {"lower end first"});
  expect_words(refusal(mjcf("<body><joint axis=\"0 0 0\"/><geom size=\"1\"/></body>")), {"must not be zero"});
  expect_words(refusal(mjcf("<body><joint type=\"ball\" range=\"10 20\"/><geom size=\"1\"/></body>")),
               {"must begin with 0"});
  expect_words(refusal(mjcf("<body><geom size=\"1\"/><body><freejoint/><geom size=\"1\"/></body></body>")),
               {"body of the world"});
}

TEST(RobotBadInput, MeshesThatAreMissingOrDamaged) {
  const std::string visual =
      urdf("<link name=\"a\"><visual><geometry><mesh filename=\"none.stl\"/></geometry></visual></link>");
  const RobotDescription robot = parse_robot_text(visual, "robot.urdf");
  EXPECT_TRUE(robot.links[0].visuals.empty());
  const ImportNote* note = find_note(robot, "none.stl");
  ASSERT_TRUE(note);
  EXPECT_EQ(note->kind, ImportNote::Kind::kIgnored);
  EXPECT_EQ(note->source.line, 2);
  const std::string collision = urdf(
      "<link name=\"a\"><collision><geometry><mesh filename=\"package://none/a.stl\"/></geometry></collision></link>");
  expect_words(refusal(collision), {"robot.xml:2", "package://none/a.stl", "'none'", "--packages"});
  const RobotFolder folder;
  const std::string damaged = folder.write("bad.stl", "solid nothing\n");
  expect_words(refusal(urdf("<link name=\"a\"><collision><geometry><mesh filename=\"" + damaged +
                            "\"/></geometry></collision></link>")),
               {"robot.xml:2", "bad.stl"});
  const std::string flat = folder.write("flat.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  expect_words(refusal(urdf("<link name=\"a\"><collision><geometry><mesh filename=\"" + flat +
                            "\"/></geometry></collision></link>")),
               {"robot.xml:2", "flat.obj", "shape for contacts"});
  expect_words(refusal("<mujoco><asset>\n<mesh file=\"none.stl\"/></asset><worldbody><body><geom type=\"mesh\" "
                       "mesh=\"none\"/></body></worldbody></mujoco>"),
               {"robot.xml:2", "none.stl", "not found"});
}

TEST(RobotBadInput, CountsWithoutEnd) {
  std::string many = "<robot name=\"r\">";
  XmlLimits limits;
  limits.elements = 1000;
  for (int i = 0; i < 1100; ++i) many += "<link name=\"a\"/>";
  try {
    parse_robot_text(many + "</robot>", "robot.urdf", {}, limits);
    FAIL() << "it was read";
  } catch (const Error& e) {
    expect_words(e.what(), {"more than 1000 elements"});
  }
  // A chain in URDF does not nest, and must not recurse.
  std::string chain = "<robot name=\"r\">" + link("l0");
  for (int i = 1; i <= 1500; ++i)
    chain +=
        link(fmt::format("l{}", i)) + joint(fmt::format("j{}", i), fmt::format("l{}", i - 1), fmt::format("l{}", i));
  EXPECT_EQ(parse_robot_text(chain + "</robot>", "robot.urdf").links.size(), 1501u);
  for (int i = 1501; i <= 2500; ++i)
    chain +=
        link(fmt::format("l{}", i)) + joint(fmt::format("j{}", i), fmt::format("l{}", i - 1), fmt::format("l{}", i));
  expect_words(refusal(chain + "</robot>"), {"chain of more than 2000 links"});
  expect_words(refusal("<mujoco><asset><hfield name=\"h\" nrow=\"100000000\" ncol=\"100000000\" size=\"1 1 1 "
                       "1\"/></asset><worldbody><geom "
                       "type=\"hfield\" hfield=\"h\"/></worldbody></mujoco>"),
               {"nrow"});
}

TEST(RobotBadInput, StrictRefusesWhatIsIgnored) {
  ImportOptions strict;
  strict.strict = true;
  const std::string text = mjcf("<body name=\"a\"><geom size=\"1\"/>\n<light/></body>");
  EXPECT_EQ(refusal(text), "");
  expect_words(refusal(text, strict), {"robot.xml:4", "<light>", "--strict"});
  EXPECT_EQ(refusal(mjcf("<body name=\"a\"><geom size=\"1\"/></body>"), strict), "");
}

TEST(RobotBadInput, KeyframesAndActuators) {
  const auto model = [](const std::string& rest) {
    return "<mujoco><compiler autolimits=\"true\"/><worldbody><body><joint name=\"j\"/><geom "
           "size=\"1\"/></body></worldbody>" +
           rest + "</mujoco>";
  };
  expect_words(refusal(model("<keyframe><key qpos=\"1 2\"/></keyframe>")), {"has 2 numbers", "1 coordinates"});
  expect_words(refusal(model("<actuator><motor joint=\"k\"/></actuator>")), {"is no joint"});
  expect_words(refusal(model("<actuator><motor/></actuator>")), {"drives nothing"});
  expect_words(refusal(model("<actuator><position joint=\"j\" inheritrange=\"1\"/></actuator>")), {"inheritrange"});
  expect_words(refusal(model("<equality><joint joint1=\"j\" joint2=\"j\"/></equality>")), {"the same joint"});
  expect_words(refusal(model("<tendon><fixed name=\"t\"/></tendon>")), {"has no joints"});
}

}  // namespace
}  // namespace touchstone::testing
